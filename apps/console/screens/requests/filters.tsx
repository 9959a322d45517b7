import { useLocation } from 'preact-iso';
import { at } from '../../addresses.js';
import { Chips } from '../../parts/button.js';
import { SelectField } from '../../parts/form.js';
import type { RequestCounts } from '../../parts/requests/counts.js';
import { requestState, requestType } from '../../parts/requests/words.js';
import type { Place } from '../../session.js';
import { number, wordsOf } from '../../words.js';
import table from './words.json';

const t = wordsOf(table);

const STATES = [
  'RECEIVED',
  'AWAITING_VERIFICATION',
  'VERIFIED',
  'IN_PROGRESS',
  'ON_HOLD',
  'COMPLETED',
  'PARTIALLY_COMPLETED',
  'REJECTED',
  'CANCELED',
  'EXPIRED',
  'DUPLICATE',
] as const;
const TYPES = [
  'ACCESS',
  'PORTABILITY',
  'ERASURE',
  'RECTIFICATION',
  'RESTRICTION',
  'OBJECTION',
  'WITHDRAW_ALL',
  'OPT_OUT_SALE_SHARE',
  'OPT_OUT_TARGETED_ADS',
  'OPT_OUT_PROFILING',
  'LIMIT_SENSITIVE',
  'KNOW_CATEGORIES',
  'APPEAL',
  'COMPLAINT',
] as const;

/** What of the queue is shown. It stands in the address, so that it can be kept as a bookmark. */
export interface Filter {
  readonly state: 'OPEN' | 'OVERDUE' | 'ALL' | (typeof STATES)[number];
  /** Empty: all. */
  readonly type: string;
  readonly assignee: '' | 'me' | 'none';
}

const among = <T extends string>(known: readonly T[], value: string | undefined, otherwise: T): T =>
  known.includes(value as T) ? (value as T) : otherwise;

/** The filter in an address; what the address says wrongly counts as not said. */
export function filterIn(query: Readonly<Record<string, string>>): Filter {
  return {
    state:
      query['overdue'] === 'true' ? 'OVERDUE' : among(['OPEN', 'OVERDUE', 'ALL', ...STATES], query['state'], 'OPEN'),
    type: among(['', ...TYPES], query['type'], ''),
    assignee: among(['', 'me', 'none'], query['assignee'], ''),
  };
}

function addressOf(place: Place, { state, type, assignee }: Filter): string {
  const query = new URLSearchParams();
  if (state === 'OVERDUE') query.set('overdue', 'true');
  else if (state !== 'OPEN') query.set('state', state);
  if (type !== '') query.set('type', type);
  if (assignee !== '') query.set('assignee', assignee);
  return `${at(place, 'requests')}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

export function Filters(props: {
  readonly place: Place;
  readonly filter: Filter;
  /** Null: not known yet. */
  readonly counts: RequestCounts | null;
}) {
  const { place, filter, counts } = props;
  const { route } = useLocation();
  const show = (change: Partial<Filter>) => route(addressOf(place, { ...filter, ...change }), true);
  const withCount = (text: string, n: number | undefined) => (n === undefined ? text : `${text} ${number(n)}`);
  const inState = (state: string) => counts?.states[state] ?? 0;
  return (
    <div class="filters">
      <Chips
        label={t('by-state')}
        value={filter.state}
        onPick={(state) => show({ state })}
        options={[
          ['OPEN', withCount(t('open'), counts?.open)],
          ...((counts?.overdue ?? 0) > 0 || filter.state === 'OVERDUE'
            ? [['OVERDUE', withCount(t('overdue'), counts?.overdue)] as const]
            : []),
          ...STATES.filter((state) => inState(state) > 0 || state === filter.state).map(
            (state) => [state, withCount(requestState(state), inState(state))] as const,
          ),
          ['ALL', t('all')],
        ]}
      />
      <div class="fields">
        <SelectField
          name="type"
          label={t('type')}
          value={filter.type}
          options={[['', t('type.all')], ...TYPES.map((type) => [type, requestType(type)] as const)]}
          onPick={(type) => show({ type })}
        />
        <SelectField
          name="assignee"
          label={t('assignee')}
          value={filter.assignee}
          options={[
            ['', t('assignee.all')],
            ['me', t('assignee.me')],
            ['none', t('assignee.none')],
          ]}
          onPick={(assignee) => show({ assignee })}
        />
      </div>
    </div>
  );
}
