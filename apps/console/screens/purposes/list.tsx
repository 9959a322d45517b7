import { answered, api } from '../../api/client.js';
import { usePages } from '../../api/resource.js';
import { at } from '../../addresses.js';
import { Badge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded, More } from '../../parts/states.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import type { Place } from '../../session.js';
import { language, languageName } from '../../words.js';
import type { Purpose } from './catalogue.js';
import { term, words as t } from './words.js';

/** Every purpose with what it stands on, what silence means, and how whole its texts are. */
export function PurposeList({ place }: { readonly place: Place }) {
  const purposes = usePages(
    (cursor) =>
      answered(
        api.GET('/admin/v1/sites/{site}/{env}/purposes', {
          params: {
            path: { ...place },
            query: { limit: 100, locale: language.value, ...(cursor !== null && { cursor }) },
          },
        }),
      ),
    [place.site, place.env, language.value],
  );
  return (
    <Card title={t('list.title')} isFlush>
      <Loaded
        of={purposes}
        empty={
          <Empty icon="text" title={t('list.none')}>
            {t('list.none.why')}
          </Empty>
        }
      >
        {(rows) => (
          <>
            <Table label={t('list.title')} rows={rows} keyOf={({ key }) => key} columns={columnsOf(place, rows)} />
            <More of={purposes} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function columnsOf(place: Place, rows: readonly Purpose[]) {
  const all = [...new Set(rows.flatMap(({ availableLocales }) => availableLocales))].sort();
  return [
    { title: t('list.purpose'), cell: ({ key, name }: Purpose) => <a href={at(place, 'purposes', key)}>{name}</a> },
    {
      title: t('list.basis'),
      cell: ({ legalBasis, consentModel }: Purpose) => (
        <>
          {term('basis', legalBasis)}
          <br />
          <span class="small">{term('model', consentModel)}</span>
        </>
      ),
    },
    { title: t('list.category'), cell: ({ category }: Purpose) => term('category', category) },
    {
      title: t('list.languages'),
      cell: ({ availableLocales }: Purpose) => {
        const missing = all.filter((each) => !availableLocales.includes(each));
        return missing.length === 0 ? (
          <Badge tone="yes">{t('list.languages.all', { n: all.length })}</Badge>
        ) : (
          <Badge tone="wait" icon="alert">
            {t('list.languages.missing', { missing: missing.map(languageName).join(', ') })}
          </Badge>
        );
      },
    },
    {
      title: t('list.version'),
      cell: ({ version, effectiveFrom, status }: Purpose) => (
        <>
          {t('version.n', { n: version })} <Status status={status} />
          <br />
          <span class="small">
            <Time at={effectiveFrom} form="day" />
          </span>
        </>
      ),
    },
  ];
}

const STATUS = { PUBLISHED: 'yes', DRAFT: 'wait', RETIRED: 'off' } as const;

export function Status({ status }: { readonly status: string }) {
  return <Badge tone={STATUS[status as keyof typeof STATUS] ?? 'off'}>{term('status', status)}</Badge>;
}
