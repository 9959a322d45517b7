import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { Resource } from '../../api/resource.js';
import { say } from '../../frame/said.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { ActDialog } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { Empty, Note } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { may, type Place } from '../../session.js';
import { saveDraft, type CatalogueFiles, type Draft } from './catalogue.js';
import { ChangedFiles } from './changed-files.js';
import { PublishDialog } from './publish.js';
import { Simulation } from './simulation.js';
import { standingOf, TONE_OF } from './standing.js';
import { term, who, words as t } from './words.js';

/** The draft that waits: what it changes, whom that would concern, and what may be done with it. */
export function DraftView(props: {
  readonly place: Place;
  readonly draft: Draft;
  readonly published: Resource<CatalogueFiles>;
  /** It was saved, published or discarded. */
  readonly onChange: () => void;
}) {
  const { place, draft, onChange } = props;
  const [dialog, setDialog] = useState<'publish' | 'discard' | null>(null);
  const standing = standingOf(draft, place);
  if (standing === 'NONE')
    return (
      <Empty icon="text" title={t('draft.none')}>
        {t('draft.none.why')}
      </Empty>
    );
  const mayPublish = standing === 'READY' || standing === 'YOURS_TO_APPROVE';
  return (
    <div class="grid">
      <Card title={t('draft.title')} end={<Badge tone={TONE_OF[standing]}>{t(`standing.${standing}`)}</Badge>}>
        <div class="grid">
          <Note
            tone={standing === 'UNFINISHED' || standing === 'BEHIND' ? 'no' : standing === 'WAITS' ? 'wait' : 'info'}
          >
            {t(`standing.${standing}.why`, { base: draft.base, version: draft.version })}
          </Note>
          {draft.editedAt && (
            <p class="small">
              {t('draft.edited', { who: who(draft.editedBy ?? '') })} <Time at={draft.editedAt} />
            </p>
          )}
          <Issues draft={draft} />
          <div class="acts">
            {mayPublish && (
              <Button look="main" icon="check" onPress={() => setDialog('publish')}>
                {t(standing === 'READY' ? 'publish' : 'publish.approve')}
              </Button>
            )}
            {standing === 'BEHIND' && may('saveCatalogueDraft', place) && <BringUp {...props} />}
            {may('discardCatalogueDraft', place) && (
              <Button look="danger" onPress={() => setDialog('discard')}>
                {t('discard')}
              </Button>
            )}
          </div>
        </div>
      </Card>
      <ChangedFiles place={place} draft={draft} published={props.published} />
      {may('simulateCatalogueDraft', place) && draft.issues.length === 0 && (
        <Card title={t('simulation.title')}>
          <Simulation
            ask={(cursor) =>
              answered(
                api.POST('/admin/v1/sites/{site}/{env}/catalogue/draft/simulation', {
                  params: { path: { ...place } },
                  body: cursor === undefined ? {} : { cursor },
                }),
              )
            }
          />
        </Card>
      )}
      <PublishDialog
        place={place}
        draft={draft}
        isOpen={dialog === 'publish'}
        onClose={() => setDialog(null)}
        onDone={onChange}
      />
      <DiscardDialog
        place={place}
        draft={draft}
        isOpen={dialog === 'discard'}
        onClose={() => setDialog(null)}
        onDone={onChange}
      />
    </div>
  );
}

function Issues({ draft }: { readonly draft: Draft }) {
  if (draft.issues.length === 0) return null;
  return (
    <ul class="issues" aria-label={t('issues')}>
      {draft.issues.map(({ path, message }) => (
        <li key={path + message}>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}

/** Says that the draft was compared with what others published meanwhile. */
function BringUp(props: { readonly place: Place; readonly draft: Draft; readonly onChange: () => void }) {
  const { place, draft, onChange } = props;
  const act = useAct((once) => saveDraft(place, draft, draft.files, once, draft.version));
  return (
    <Button
      isBusy={act.isBusy}
      onPress={() =>
        void act.run().then((isDone) => {
          if (isDone) onChange();
        })
      }
    >
      {t('draft.bring-up', { version: draft.version })}
    </Button>
  );
}

function DiscardDialog(props: {
  readonly place: Place;
  readonly draft: Draft;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { place, draft } = props;
  const act = useAct((once) =>
    answered(
      api.DELETE('/admin/v1/sites/{site}/{env}/catalogue/draft', {
        params: { path: { ...place } },
        headers: { ...once.headers, 'If-Match': draft.tag },
      }),
    ),
  );
  const changed = draft.changes.filter(({ action }) => action !== 'NONE');
  return (
    <ActDialog
      title={t('discard.title')}
      lead={
        <>
          <p>{t('discard.lead', { who: who(draft.editedBy ?? '') })}</p>
          {changed.length > 0 && (
            <p>{changed.map(({ object, key }) => `${term('object', object)} ${key}`).join(', ')}</p>
          )}
        </>
      }
      submit={t('discard')}
      look="danger"
      isOpen={props.isOpen}
      act={act}
      onClose={props.onClose}
      onDone={() => {
        say(t('discard.done'));
        props.onDone();
      }}
    />
  );
}
