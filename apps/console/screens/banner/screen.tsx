import { useState } from 'preact/hooks';
import type { ScreenProps } from '../../app.js';
import { at } from '../../addresses.js';
import { useAct } from '../../api/act.js';
import { useResource } from '../../api/resource.js';
import { say } from '../../frame/said.js';
import { Badge } from '../../parts/badge.js';
import { Button, CopyButton } from '../../parts/button.js';
import { FormTrouble } from '../../parts/form.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, Loaded, Note } from '../../parts/states.js';
import { may, type Place } from '../../session.js';
import { language } from '../../words.js';
import { askDraft, saveDraft, type Draft } from '../purposes/catalogue.js';
import { FileText } from '../purposes/file-text.js';
import { standingOf, TONE_OF } from '../purposes/standing.js';
import { words as p } from '../purposes/words.js';
import { asYaml } from '../purposes/yaml.js';
import { firstBanner, type BannerFile } from './file.js';
import { Looks } from './looks.js';
import { Preview } from './preview.js';
import { Texts } from './texts.js';
import { words as t } from './words.js';

/** The banner: a form beside the published element itself, with the rules that it is held against. */
export default function Screen({ place }: ScreenProps) {
  const draft = useResource(() => askDraft(place), [place.site, place.env]);
  const [begun, setBegun] = useState<BannerFile | null>(null);
  return (
    <Page title={t('screen')} lead={t('lead')}>
      <Loaded of={draft}>
        {(data) => {
          const file = data.files.banner ?? begun;
          const mayEdit = may('saveCatalogueDraft', place);
          if (!file)
            return (
              <Empty icon="banner" title={t('none')}>
                {mayEdit && <Button onPress={() => setBegun(firstBanner(language.value))}>{t('begin')}</Button>}
              </Empty>
            );
          return (
            <div class="grid">
              <Waiting place={place} draft={data} />
              {mayEdit ? (
                <Editor key={data.tag} place={place} draft={data} file={file} onSaved={() => void draft.reload()} />
              ) : (
                <Preview place={place} files={data.files} file={file} />
              )}
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Editor(props: {
  readonly place: Place;
  readonly draft: Draft;
  readonly file: BannerFile;
  readonly onSaved: () => void;
}) {
  const { place, draft } = props;
  const [file, setFile] = useState(props.file);
  const save = useAct((once) => saveDraft(place, draft, { ...draft.files, banner: file }, once));
  const issues =
    draft.state === 'OPEN' ? draft.issues.filter(({ path }) => path === 'banner' || path.startsWith('banner.')) : [];
  const saved = async () => {
    if (!(await save.run())) return;
    say(t('saved'));
    props.onSaved();
  };
  return (
    <div class="banner-screen">
      <Card title={t('form')}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void saved();
          }}
        >
          <FormTrouble problem={save.problem} />
          <Texts file={file} onChange={setFile} />
          <Looks file={file} onChange={setFile} />
          <details>
            <summary>{t('whole')}</summary>
            <FileText file={file} issues={issues} at="banner" onChange={(whole) => setFile(whole as BannerFile)} />
          </details>
          <div class="acts">
            <Button type="submit" look="main" isBusy={save.isBusy}>
              {t('save')}
            </Button>
            <CopyButton text={asYaml(file)}>{t('copy-yaml')}</CopyButton>
          </div>
        </form>
      </Card>
      <Preview place={place} files={draft.files} file={file} />
    </div>
  );
}

/** Where the draft stands that this banner is a part of. */
function Waiting({ place, draft }: { readonly place: Place; readonly draft: Draft }) {
  const standing = standingOf(draft, place);
  if (standing === 'NONE') return null;
  return (
    <Note tone={standing === 'UNFINISHED' ? 'no' : 'wait'}>
      {t('draft')} <Badge tone={TONE_OF[standing]}>{p(`standing.${standing}`)}</Badge>{' '}
      <a href={`${at(place, 'purposes')}?view=draft`}>{t('draft.look')}</a>
    </Note>
  );
}
