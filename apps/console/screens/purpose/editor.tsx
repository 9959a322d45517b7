import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { say } from '../../frame/said.js';
import { Badge } from '../../parts/badge.js';
import { Button, CopyButton } from '../../parts/button.js';
import { CheckField, FormTrouble, SelectField, TextField } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { may, type Place } from '../../session.js';
import { placeOf, saveDraft, withPurpose, type Draft, type PurposeFile } from '../purposes/catalogue.js';
import { FileText } from '../purposes/file-text.js';
import { Simulation } from '../purposes/simulation.js';
import { term } from '../purposes/words.js';
import { asYaml } from '../purposes/yaml.js';
import { Translations } from './translations.js';
import { words as t } from './words.js';

const BASES = ['CONSENT', 'CONTRACT', 'LEGAL_OBLIGATION', 'VITAL_INTERESTS', 'PUBLIC_TASK', 'LEGITIMATE_INTERESTS'];
const MODELS = ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'ALWAYS_ON'];
const CATEGORIES = [
  ...['NECESSARY', 'FUNCTIONAL', 'ANALYTICS', 'MARKETING', 'PERSONALIZATION'],
  ...['SOCIAL', 'SALE_SHARE', 'SENSITIVE', 'COMMUNICATION', 'OTHER'],
];

/** The form for a purpose. Saving puts it into the draft, finished or not; people see nothing of it. */
export function Editor(props: {
  readonly place: Place;
  readonly draft: Draft;
  readonly file: PurposeFile;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}) {
  const { place, draft } = props;
  const [file, setFile] = useState(props.file);
  const change = (part: Partial<PurposeFile>) => setFile({ ...file, ...part });
  const save = useAct((once) => saveDraft(place, draft, withPurpose(draft.files, file), once));
  const saved = async () => {
    if (!(await save.run())) return;
    say(t('saved'));
    props.onSaved();
  };
  const at = placeOf(draft.files, file.key);
  const issues = draft.state === 'OPEN' ? draft.issues.filter(({ path }) => at !== null && path.startsWith(at)) : [];
  const chosen = (prefix: string, values: readonly string[]) =>
    values.map((value) => [value, term(prefix, value)] as const);
  return (
    <Card
      title={t('editor')}
      end={
        issues.length > 0 && (
          <Badge tone="no" icon="alert">
            {t('editor.issues', { n: issues.length })}
          </Badge>
        )
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void saved();
        }}
      >
        <FormTrouble problem={save.problem} />
        {issues.length > 0 && (
          <ul class="issues" aria-label={t('issues')}>
            {issues.map(({ path, message }) => (
              <li key={path + message}>
                <code>{path.slice(at!.length).replace(/^\./, '') || file.key}</code> {message}
              </li>
            ))}
          </ul>
        )}
        <Translations file={file} onChange={change} />
        <div class="fields">
          <SelectField
            name="legalBasis"
            label={t('basis')}
            value={file.legalBasis ?? ''}
            options={chosen('basis', BASES)}
            onPick={(legalBasis) => change({ legalBasis })}
          />
          <SelectField
            name="consentModel"
            label={t('model')}
            value={file.consentModel ?? ''}
            options={chosen('model', MODELS)}
            onPick={(consentModel) => change({ consentModel })}
          />
          <SelectField
            name="category"
            label={t('category')}
            value={file.category ?? ''}
            options={chosen('category', CATEGORIES)}
            onPick={(category) => change({ category })}
          />
          <SelectField
            name="status"
            label={t('status')}
            hint={t(`status.${file.status === 'RETIRED' ? 'RETIRED' : 'PUBLISHED'}.why`)}
            value={file.status ?? 'PUBLISHED'}
            options={chosen('status', ['PUBLISHED', 'RETIRED'])}
            onPick={(status) => change({ status })}
          />
        </div>
        <CheckField
          label={t('gpc.field')}
          hint={t('gpc.hint')}
          value={file.gpc ?? false}
          onToggle={(gpc) => change({ gpc })}
        />
        <div class="fields">
          <SelectField
            name="kind"
            label={t('kind')}
            hint={t(`kind.${file.change?.kind === 'EDITORIAL' ? 'EDITORIAL' : 'MATERIAL'}.why`)}
            value={file.change?.kind ?? 'MATERIAL'}
            options={(['MATERIAL', 'EDITORIAL'] as const).map((each) => [each, t(`kind.${each}`)] as const)}
            onPick={(kind) => change({ change: { ...file.change, kind } })}
          />
          <TextField
            name="summary"
            label={t('summary')}
            hint={t('summary.hint')}
            maxLength={500}
            value={file.change?.summary ?? ''}
            onInput={(summary) => change({ change: { ...file.change, summary } })}
          />
        </div>
        <details class="whole-file">
          <summary>{t('whole')}</summary>
          <FileText
            file={file}
            issues={issues}
            at={at ?? ''}
            onChange={(whole) => setFile({ ...(whole as object), key: file.key })}
          />
        </details>
        <div class="acts">
          <Button type="submit" look="main" isBusy={save.isBusy}>
            {t('save')}
          </Button>
          <Button onPress={props.onClose}>{t('close')}</Button>
          <CopyButton text={asYaml(file)}>{t('copy-yaml')}</CopyButton>
        </div>
      </form>
      {may('simulateCatalogue', place) && (
        <details class="whole-file">
          <summary>{t('simulate')}</summary>
          <Simulation
            ask={(cursor) =>
              answered(
                api.POST('/admin/v1/sites/{site}/{env}/catalogue/simulation', {
                  params: { path: { ...place } },
                  // What has no file is left alone, so that this counts the purpose and nothing else of the draft.
                  body: { purposes: [file as never], ...(cursor !== undefined && { cursor }) },
                }),
              )
            }
          />
        </details>
      )}
    </Card>
  );
}
