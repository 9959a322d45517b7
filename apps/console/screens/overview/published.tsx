import { at } from '../../addresses.js';
import type { CatalogueVersion } from '../../api/published.js';
import { Icon } from '../../parts/icon.js';
import { Card } from '../../parts/page.js';
import { publishedTitle } from '../../parts/published.js';
import { Empty } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import { may, session, type Place } from '../../session.js';
import { overviewWords as t } from './words.js';

/** What was published last, and by whom. */
export function Published(props: {
  readonly place: Place;
  readonly versions: readonly CatalogueVersion[];
  readonly names: ReadonlyMap<string, string>;
}) {
  const { place, versions, names } = props;
  return (
    <Card
      title={t('published')}
      end={may('listSitePurposes', place) && <a href={at(place, 'purposes')}>{t('published.all')}</a>}
      isFlush
    >
      {versions.length === 0 ? (
        <Empty icon="text" title={t('published.none')}>
          {t('published.none.why')}
        </Empty>
      ) : (
        <ul class="list">
          {versions.map((version) => (
            <li key={version.version}>
              <span class="dot still acc">
                <Icon name={version.changes.some(({ object }) => object === 'banner') ? 'banner' : 'text'} />
              </span>
              <span class="t">
                <b>{publishedTitle(version, names)}</b>
                <span>
                  <Time at={version.at} form="day" />, {byWhom(version.by)}
                  {' · '}
                  {t(version.source === 'CONSOLE' ? 'from.console' : 'from.files')}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function byWhom(actor: string): string {
  if (actor === `operator:${session.value?.operator.id}`) return t('by.you');
  return t(actor.startsWith('operator') ? 'by.operator' : 'by.service');
}
