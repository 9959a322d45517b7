import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { answered, api } from '../../../api/client.js';
import { usePages } from '../../../api/resource.js';
import { Chips } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { Card } from '../../../parts/page.js';
import { Empty, Loaded, More } from '../../../parts/states.js';
import { Time } from '../../../parts/time.js';
import { facesOf } from './faces.js';
import { searchOf, useFresh, type Shown, type TimelineItem } from '../person.js';
import { Proof } from './receipt.js';
import { WasShown } from './was-shown.js';
import { t } from './words.js';

const REQUESTS = [
  'received',
  'verification_requested',
  'verified',
  'expired',
  'started',
  'held',
  'resumed',
  'extended',
  'due_soon',
  'overdue',
  'completion_begun',
  'completion_stopped',
  'completed',
  'rejected',
  'canceled',
  'marked_duplicate',
  'assigned',
  'noted',
].map((step) => `data_request_${step}`);

/** Types of event behind each filter; null: all. */
const FILTERS = {
  all: null,
  consent: ['consent_recorded', 'consent_expired'],
  messages: [
    'preference_set',
    'preference_confirmation_requested',
    'preference_confirmation_mailed',
    'preference_confirmed',
    'preference_confirmation_expired',
  ],
  requests: REQUESTS,
} as const satisfies Record<string, readonly string[] | null>;
type Filter = keyof typeof FILTERS;

const PAGE = 20;
/** How many pages one press reads in search of what was there at a day long ago. */
const PAGES_AT_ONCE = 10;

/** All that happened, newest first. */
export default function Timeline(props: Shown) {
  const { place, id, asOf, turn } = props;
  const { path, query, route } = useLocation();
  const asked = query['show'] ?? 'all';
  const filter: Filter = Object.hasOwn(FILTERS, asked) ? (asked as Filter) : 'all';
  const page = async (cursor: string | null) => {
    const types = FILTERS[filter];
    const limit = asOf === null ? PAGE : 200;
    return answered(
      api.GET('/admin/v1/sites/{site}/{env}/subjects/{ref}/timeline', {
        params: {
          path: { ...place, ref: id },
          query: { limit, ...(cursor !== null && { cursor }), ...(types && { types: [...types] }) },
        },
      }),
    );
  };
  const items = usePages<TimelineItem>(
    async (cursor) => {
      let read = await page(cursor);
      const isThen = ({ recordedAt }: TimelineItem) => asOf === null || recordedAt <= asOf;
      for (let n = 1; n < PAGES_AT_ONCE && read.nextCursor !== null && !read.data.some(isThen); n += 1)
        read = await page(read.nextCursor);
      return { ...read, data: read.data.filter(isThen) };
    },
    [id, filter, asOf],
  );
  useFresh(items, turn);
  return (
    <Card
      title={t('timeline')}
      isFlush
      end={
        <Chips<Filter>
          label={t('timeline.filter')}
          value={filter}
          options={(Object.keys(FILTERS) as Filter[]).map((each) => [each, t(`filter.${each}`)] as const)}
          onPick={(picked) => route(searchOf(path, { ...query, show: picked === 'all' ? '' : picked }), true)}
        />
      }
    >
      <Loaded
        of={items}
        empty={<Empty icon="clock" title={asOf === null ? t('timeline.none') : t('timeline.none.then')} />}
      >
        {(shown) => (
          <ol class="timeline">
            {eachOnce(shown).map((item) => (
              <Event key={`${item.position} ${item.type}`} item={item} {...props} />
            ))}
          </ol>
        )}
      </Loaded>
      <More of={items} />
    </Card>
  );
}

/** A merge is an event of either side: here it is one, with what each of them says. */
function eachOnce(items: readonly TimelineItem[]): TimelineItem[] {
  const sides = (role: string) =>
    new Map(items.flatMap((item) => (item.merge?.role === role ? [[item.merge.id + item.type, item] as const] : [])));
  const [absorbed, surviving] = [sides('ABSORBED'), sides('SURVIVOR')];
  return items.flatMap((item) => {
    const { merge, type } = item;
    if (!merge) return [item];
    if (merge.role === 'ABSORBED') return surviving.has(merge.id + type) ? [] : [item];
    const other = absorbed.get(merge.id + type);
    return [other ? { ...item, by: other.by, merge: { ...merge, reason: other.merge!.reason ?? null } } : item];
  });
}

function Event(props: Shown & { readonly item: TimelineItem }) {
  const { item } = props;
  const { tone, icon, title, about } = facesOf(item, props);
  return (
    <li>
      <span class={`dot ${tone}`}>
        <Icon name={icon} />
      </span>
      <div class="ev">
        <b>{title}</b>
        <Time at={item.at} />
      </div>
      <Line>{about}</Line>
      <Line>{item.appliedToState === false && t('changed-nothing')}</Line>
      <WasShown {...props} />
      <Proof {...props} />
    </li>
  );
}

const Line = ({ children }: { readonly children: ComponentChildren }) =>
  children ? <p class="ev-sub">{children}</p> : null;
