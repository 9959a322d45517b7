import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ScreenProps } from '../../app.js';
import { at } from '../../addresses.js';
import { useResource, type Resource } from '../../api/resource.js';
import { count } from '../../frame/badges.js';
import { Badge } from '../../parts/badge.js';
import { Button, Chips } from '../../parts/button.js';
import { later } from '../../parts/later.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { may, type Place } from '../../session.js';
import { askDraft, askPublished, type Draft } from './catalogue.js';
import { PurposeList } from './list.js';
import { NewPurposeDialog } from './new-purpose.js';
import { Owner } from './owner.js';
import { standingOf, TONE_OF } from './standing.js';
import { words as t } from './words.js';

const DraftView = later(async () => ({ default: (await import('./draft.js')).DraftView }));
const Versions = later(async () => ({ default: (await import('./versions.js')).Versions }));

const VIEWS = ['list', 'draft', 'versions'] as const;
type View = (typeof VIEWS)[number];

/** Purposes and texts: what people are asked, the draft of it, and what was published when. */
export default function Screen({ place }: ScreenProps) {
  const { query, route } = useLocation();
  const view = VIEWS.find((each) => each === query['view']) ?? 'list';
  const draft = useResource(() => askDraft(place), [place.site, place.env]);
  const loaded = draft.value.value;
  const standing = loaded.state === 'ready' ? standingOf(loaded.data, place) : 'NONE';
  useEffect(() => count('purposes', standing === 'YOURS_TO_APPROVE' ? 1 : 0), [standing]);
  const [isNew, setNew] = useState(false);
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      acts={
        loaded.state === 'ready' &&
        may('saveCatalogueDraft', place) && (
          <>
            <Button icon="plus" onPress={() => setNew(true)}>
              {t('new')}
            </Button>
            <NewPurposeDialog place={place} draft={loaded.data} isOpen={isNew} onClose={() => setNew(false)} />
          </>
        )
      }
    >
      <div class="grid">
        <div class="views">
          <Chips
            label={t('views')}
            value={view}
            options={VIEWS.map((each) => [each, t(`view.${each}`)] as const)}
            onPick={(each: View) => route(at(place, 'purposes') + (each === 'list' ? '' : `?view=${each}`))}
          />
          {standing !== 'NONE' && (
            <a href={`${at(place, 'purposes')}?view=draft`}>
              <Badge tone={TONE_OF[standing]}>{t(`standing.${standing}`)}</Badge>
            </a>
          )}
        </div>
        {view === 'list' && <PurposeList place={place} />}
        {view === 'versions' && <Versions place={place} />}
        {view === 'draft' && <WithDraft place={place} draft={draft} />}
      </div>
    </Page>
  );
}

function WithDraft({ place, draft }: { readonly place: Place; readonly draft: Resource<Draft> }) {
  const published = useResource(() => askPublished(place), [place.site, place.env]);
  const changed = () => {
    void draft.reload();
    void published.reload();
  };
  return (
    <Loaded of={draft}>
      {(data) => (
        <>
          <DraftView place={place} draft={data} published={published} onChange={changed} />
          <Owner place={place} draft={data} onChange={changed} />
        </>
      )}
    </Loaded>
  );
}
