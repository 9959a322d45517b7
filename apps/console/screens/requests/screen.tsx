import { at } from '../../addresses.js';
import { useLocation } from 'preact-iso';
import type { ScreenProps } from '../../app.js';
import { answered, api } from '../../api/client.js';
import { usePages } from '../../api/resource.js';
import type { components, operations } from '../../api/schema.js';
import { frameWords } from '../../frame/words.js';
import { Page } from '../../parts/page.js';
import { DueBadge, RequestStateBadge } from '../../parts/requests/badges.js';
import { useRequestCounts, type RequestCounts } from '../../parts/requests/counts.js';
import { OperatorName } from '../../parts/requests/operator.js';
import { requestType } from '../../parts/requests/words.js';
import { Empty, Loaded, More, Note } from '../../parts/states.js';
import { Table, type Column } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { session } from '../../session.js';
import { countryName, wordsOf } from '../../words.js';
import { Filters, filterIn, type Filter } from './filters.js';
import table from './words.json';

const t = wordsOf(table);
type Listed = components['schemas']['ListedDataRequest'];
type ListQuery = NonNullable<operations['listSiteDataRequests']['parameters']['query']>;

/** The queue of requests: what is due first on top. */
export default function Screen({ place }: ScreenProps) {
  const { query } = useLocation();
  const filter = filterIn(query);
  const counts = useRequestCounts(place);
  const { state, type, assignee } = filter;
  const requests = usePages(
    (cursor) =>
      answered(
        api.GET('/admin/v1/sites/{site}/{env}/data-requests', {
          params: { path: place, query: { ...queryOf(filter), ...(cursor !== null && { cursor }) } },
        }),
      ),
    [place.site, place.env, state, type, assignee],
  );
  const isFiltered = state !== 'OPEN' || type !== '' || assignee !== '';
  const loaded = counts.value.value;
  const known = loaded.state === 'ready' ? loaded.data : null;
  return (
    <Page title={frameWords('screen.requests')} lead={known && leadOf(known)}>
      <div class="grid">
        {known && known.overdue > 0 && state !== 'OVERDUE' && (
          <Note tone="no">
            <b>{t('overdue.now', { n: known.overdue })}</b>{' '}
            <a href={`${at(place, 'requests')}?overdue=true`}>{t('overdue.show')}</a>
          </Note>
        )}
        <Filters place={place} filter={filter} counts={known} />
        <section class="card">
          <Loaded
            of={requests}
            empty={<Empty title={t('empty')}>{isFiltered ? t('empty.filtered') : t('empty.why')}</Empty>}
          >
            {(rows) => (
              <>
                <Table label={t('table')} columns={columns(place)} rows={rows} keyOf={({ id }) => id} />
                <More of={requests} />
              </>
            )}
          </Loaded>
        </section>
      </div>
    </Page>
  );
}

const leadOf = ({ open }: RequestCounts): string => (open === 0 ? t('lead.none') : t('lead', { n: open }));

/** What the service is asked for. `me` becomes the operator's id only here: an address means the same to every reader. */
function queryOf({ state, type, assignee }: Filter): ListQuery {
  return {
    order: 'DUE',
    ...(state === 'OVERDUE' ? { overdue: true } : state !== 'ALL' && { state: state as 'OPEN' }),
    ...(type !== '' && { type: type as 'ACCESS' }),
    ...(assignee === 'me' && { assignee: session.value!.operator.id }),
    ...(assignee === 'none' && { assignee: 'NONE' }),
  };
}

const columns = (place: ScreenProps['place']): Column<Listed>[] => [
  {
    title: t('column.request'),
    cell: ({ id, type, jurisdiction }) => (
      <>
        <a href={at(place, 'requests', id)}>{requestType(type)}</a>
        {jurisdiction && <div class="small">{countryName(jurisdiction.country)}</div>}
      </>
    ),
  },
  { title: t('column.state'), cell: ({ state }) => <RequestStateBadge state={state} /> },
  {
    title: t('column.due'),
    cell: (request) =>
      request.closedAt === null ? (
        <DueBadge request={request} />
      ) : (
        <span class="small">
          {t('column.closed')} <Time at={request.closedAt} form="day" />
        </span>
      ),
  },
  { title: t('column.received'), cell: ({ receivedAt }) => <Time at={receivedAt} form="day" /> },
  { title: t('column.law'), cell: ({ regulation }) => regulation?.replaceAll('_', ' ') ?? '' },
  { title: t('column.with'), cell: ({ assignee }) => <OperatorName id={assignee} /> },
];
