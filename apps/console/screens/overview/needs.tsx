import { linked } from '../../addresses.js';
import type { PlaceSummary } from '../../frame/summary.js';
import type { Tone } from '../../parts/badge.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { named } from '../../words.js';
import { overviewTable, overviewWords as t } from './words.js';

type Need = PlaceSummary['needs'][number];

const LOOKS: Readonly<Record<string, { readonly icon: IconName; readonly tone: Tone }>> = {
  REQUESTS_OVERDUE: { icon: 'clock', tone: 'no' },
  ENDPOINTS_FAILING: { icon: 'hook', tone: 'no' },
  DRAFT_FOR_APPROVAL: { icon: 'text', tone: 'wait' },
  REQUESTS_DUE: { icon: 'inbox', tone: 'wait' },
  RENEWALS: { icon: 'person', tone: 'info' },
};

/** What needs an operator, the most urgent first, each with the screen that shows it. */
export function Needs({ needs }: { readonly needs: readonly Need[] }) {
  return (
    <Card title={t('attention')} isFlush>
      {needs.length === 0 ? (
        <Empty icon="check" title={t('attention.none')}>
          {t('attention.none.why')}
        </Empty>
      ) : (
        <ul class="list">
          {needs.map((need) => (
            <NeedRow key={need.what} need={need} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function NeedRow({ need: { what, count, link } }: { readonly need: Need }) {
  const { icon, tone } = LOOKS[what] ?? { icon: 'alert', tone: 'wait' };
  const title = Object.hasOwn(overviewTable, `need.${what}`)
    ? t(`need.${what}` as 'need.RENEWALS', { n: count })
    : what;
  return (
    <li>
      <span class={`dot still ${tone}`}>
        <Icon name={icon} />
      </span>
      <span class="t">
        <b>
          <a class="plain" href={linked(link)}>
            {title}
          </a>
        </b>
        <span>{named(t, overviewTable, 'need.', `${what}.why`)}</span>
      </span>
    </li>
  );
}
