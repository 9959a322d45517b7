import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { EnvBadge } from '../../frame/shell.js';
import { say } from '../../frame/said.js';
import { ActDialog } from '../../parts/form.js';
import { Note } from '../../parts/states.js';
import type { Place } from '../../session.js';
import { purposeFiles, type Draft } from './catalogue.js';
import { term, who, words as t } from './words.js';

/** Says what publishing will do, for whom, and whose eyes saw it. */
export function PublishDialog(props: {
  readonly place: Place;
  readonly draft: Draft;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { place, draft } = props;
  const act = useAct((once) =>
    answered(
      api.POST('/admin/v1/sites/{site}/{env}/catalogue/draft/publish', {
        params: { path: { ...place } },
        headers: { ...once.headers, 'If-Match': draft.tag },
      }),
    ),
  );
  const files = new Map(purposeFiles(draft.files).map((file) => [file.key, file]));
  const changed = draft.changes.filter(({ action }) => action !== 'NONE');
  const effect = (object: string, key: string, action: string, version: number) => {
    if (action === 'RETIRE') return t('publish.retires');
    if (object !== 'purpose') return t('publish.document');
    if (version === 1) return t('publish.first');
    return t((files.get(key)?.change?.kind ?? 'MATERIAL') === 'MATERIAL' ? 'publish.material' : 'publish.editorial');
  };
  return (
    <ActDialog
      title={t('publish.title', { version: draft.version + 1 })}
      lead={
        <>
          <p>
            {t('publish.lead', { site: place.site })} <EnvBadge env={place.env} />
          </p>
          <ul>
            {changed.map(({ object, key, action, version }) => (
              <li key={object + key}>
                <b>{object === 'purpose' ? key : term('object', object)}</b>, {t('version.n', { n: version })}:{' '}
                {effect(object, key, action, version)}
              </li>
            ))}
          </ul>
          {draft.settings.approval === 'FOUR_EYES' && (
            <Note>{t('publish.eyes', { who: who(draft.editedBy ?? '') })}</Note>
          )}
        </>
      }
      submit={t('publish')}
      isOpen={props.isOpen}
      act={act}
      onClose={props.onClose}
      onDone={() => {
        say(t('publish.done', { version: draft.version + 1 }));
        props.onDone();
      }}
    />
  );
}
