import { useLocation } from 'preact-iso';
import { answered, api } from '../../api/client.js';
import { usePages } from '../../api/resource.js';
import type { operations } from '../../api/schema.js';
import { frameWords } from '../../frame/words.js';
import { Button } from '../../parts/button.js';
import { SelectField, TextField } from '../../parts/form.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, Loaded, More } from '../../parts/states.js';
import { sites } from '../../session.js';
import { ACTIONS, actionText, type Action } from './actions.js';
import { Entries } from './entries.js';
import { journalWords as t } from './words.js';

/** Of the query string, so that an address is a bookmark. Days are those of the operator's time zone. */
const FILTERS = ['operator', 'site', 'env', 'action', 'from', 'to'] as const;
type Filter = (typeof FILTERS)[number];
type Filters = Partial<Record<Filter, string>>;

export default function Journal() {
  const { query, route, path } = useLocation();
  const filters: Filters = Object.fromEntries(FILTERS.flatMap((each) => (query[each] ? [[each, query[each]]] : [])));
  const entries = usePages(
    (cursor) =>
      answered(
        api.GET('/admin/v1/journal', { params: { query: { ...asked(filters), ...(cursor !== null && { cursor }) } } }),
      ),
    [JSON.stringify(filters)],
  );
  const narrow = (part: Filters) => {
    const wanted = Object.entries({ ...filters, ...part }).filter(([, value]) => value !== '');
    const text = new URLSearchParams(wanted as [string, string][]).toString();
    route(text === '' ? path : `${path}?${text}`, true);
  };
  const isNarrowed = Object.keys(filters).length > 0;
  return (
    <Page title={frameWords('screen.journal')} lead={t('lead')}>
      <div class="stack">
        <Card
          title={t('filters')}
          end={
            isNarrowed && (
              <Button look="quiet" icon="cross" onPress={() => route(path, true)}>
                {t('clear')}
              </Button>
            )
          }
        >
          <Choices filters={filters} onNarrow={narrow} />
        </Card>
        <Card title={t('entries')} isFlush>
          <Loaded of={entries}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty icon="book" title={t(entries.hasMore.value ? 'none.yet' : isNarrowed ? 'none.fits' : 'none')} />
              ) : (
                <Entries rows={rows} onOperator={(operator) => narrow({ operator })} />
              )
            }
          </Loaded>
          <More of={entries} />
        </Card>
      </div>
    </Page>
  );
}

function Choices(props: { readonly filters: Filters; readonly onNarrow: (part: Filters) => void }) {
  const { filters, onNarrow } = props;
  const byName = [...ACTIONS].sort((a, b) => actionText(a).localeCompare(actionText(b)));
  return (
    <div class="fields">
      <SelectField
        name="action"
        label={t('what')}
        value={filters.action ?? ''}
        options={[['', t('any')], ...byName.map((each) => [each, actionText(each)] as const)]}
        onPick={(action) => onNarrow({ action })}
      />
      <SelectField
        name="site"
        label={t('site')}
        value={filters.site ?? ''}
        options={[['', t('any')], ...sites.value.map(({ site, name }) => [site, name] as const)]}
        onPick={(site) => onNarrow({ site })}
      />
      <SelectField
        name="env"
        label={t('env')}
        value={filters.env ?? ''}
        options={[
          ['', t('any')],
          ['live', frameWords('env.live')],
          ['test', frameWords('env.test')],
        ]}
        onPick={(env) => onNarrow({ env })}
      />
      <TextField
        name="operator"
        label={t('operator')}
        value={filters.operator ?? ''}
        placeholder="opt_…"
        onInput={(operator) => onNarrow({ operator: operator.trim() })}
      />
      <TextField
        name="from"
        type="date"
        label={t('from')}
        value={filters.from ?? ''}
        onInput={(from) => onNarrow({ from })}
      />
      <TextField name="to" type="date" label={t('to')} value={filters.to ?? ''} onInput={(to) => onNarrow({ to })} />
    </div>
  );
}

type Asked = NonNullable<operations['getJournal']['parameters']['query']>;

/** The filters as the service takes them. `to` is the last day that counts. */
function asked({ operator, site, env, action, from, to }: Filters): Asked {
  return {
    ...(operator !== undefined && { operator }),
    ...(site !== undefined && { site }),
    ...((env === 'test' || env === 'live') && { env }),
    ...(action !== undefined && { action: action as Action }),
    ...(from !== undefined && { from: midnight(from, 0) }),
    ...(to !== undefined && { to: midnight(to, 1) }),
  };
}

function midnight(day: string, later: number): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + later);
  return at.toISOString();
}
