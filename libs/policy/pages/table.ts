import { PLACES_BY_WORLD_REGION, FALLBACK } from '../places.js';
import type { Period, PeriodUnit, PolicyPlace, RequestPeriods, Rule } from '../rule.js';
import { AS_OF } from '../acts.js';
import { categoriesOf } from '../view.js';

/** What every jurisdiction demands, as rows: the page and the file show the same. */
export interface TableRow {
  code: string;
  name: string;
  from: string;
  acts: string;
  model: string;
  gpc: string;
  dataRequests: string;
  consent: string;
  doubts: readonly string[];
  /** What the row is made of. */
  rule: Rule;
}

const HEADINGS = ['Place', 'From', 'Acts', 'Model', 'GPC', 'Data requests', 'Consent', 'To be reviewed'] as const;

export interface PolicyTable {
  title: string;
  rows: TableRow[];
  /** Every act of the table once, with its articles and who says so. */
  sources: { act: string; source: string }[];
}

/** By the part of the world; what is answered where nothing is known stands last. */
export function policyTables(): PolicyTable[] {
  const nowhere: PolicyPlace = { code: '', name: 'Everywhere else', zone: 'UTC', rules: [FALLBACK] };
  return [...Object.entries(PLACES_BY_WORLD_REGION), ['Where no rule is known', [nowhere]] as const].map(
    ([title, places]) => ({
      title,
      rows: places.flatMap((place) => place.rules.map((rule) => rowOf(place, rule))),
      sources: sourcesOf(places.flatMap(({ rules }) => rules)),
    }),
  );
}

export const TABLE_INTRODUCTION = `What \`GET /v1/policy\` answers, as the sources were read on ${AS_OF}. A rule holds from midnight of its first day at the place until the next one begins. No legal advice: what stands under "to be reviewed" is doubted.`;

const sourcesOf = (rules: readonly Rule[]): PolicyTable['sources'] => [
  ...new Map(
    rules.flatMap(({ regulations }) => regulations.map(({ name, source }) => [name + source, { act: name, source }])),
  ).values(),
];

function rowOf({ code, name }: PolicyPlace, rule: Rule): TableRow {
  return {
    code,
    name,
    from: rule.from ?? '',
    acts: rule.regulations.map((act) => act.name).join('; ') || 'none known',
    model: [rule.model, ...exceptions(rule)].join('; '),
    gpc: rule.gpc,
    dataRequests: requestsInWords(rule.dataRequests),
    consent: consentInWords(rule),
    doubts: rule.doubts.map(({ field, doubt }) => `${field}: ${doubt}`),
    rule,
  };
}

/** Categories that differ from what the model says of them. */
const exceptions = (rule: Rule): string[] =>
  categoriesOf(rule)
    .filter(({ category }) => rule.defaults[category] !== undefined)
    .map(({ category, default: given }) => `${category} ${given}`);

const UNITS: Record<PeriodUnit, [one: string, many: string]> = {
  MONTHS: ['month', 'months'],
  CALENDAR_DAYS: ['day', 'days'],
  BUSINESS_DAYS: ['business day', 'business days'],
  PERIODS_OF_24_HOURS: ['time 24 hours', 'times 24 hours'],
};
const inWords = (count: number, unit: PeriodUnit): string => `${count} ${UNITS[unit][count === 1 ? 0 : 1]}`;

function periodInWords({ dueDays, unit, extensionDays }: Period): string {
  if (dueDays === null) return 'no period known';
  return inWords(dueDays, unit) + (extensionDays === null ? '' : ` + ${inWords(extensionDays, unit)}`);
}

function requestsInWords({ exceptions: others, acknowledgement, clockStops, ...period }: RequestPeriods): string {
  return [
    periodInWords(period),
    ...others.map((other) => `${other.types.join(', ')}: ${periodInWords(other)}`),
    ...(acknowledgement === null || acknowledgement.dueDays === null
      ? []
      : [`confirmed in ${inWords(acknowledgement.dueDays, acknowledgement.unit)}`]),
    ...(clockStops ? ['the clock stops'] : []),
  ].join('; ');
}

function consentInWords({ consentValidityDays, refusalCooldownDays, ageOfDigitalConsent, doubleOptIn }: Rule): string {
  return [
    ...(consentValidityDays === null ? [] : [`holds ${consentValidityDays} days`]),
    ...(refusalCooldownDays === null ? [] : [`not asked again for ${refusalCooldownDays} days`]),
    ...(ageOfDigitalConsent === null ? [] : [`from the age of ${ageOfDigitalConsent}`]),
    ...(doubleOptIn === 'NONE' ? [] : [`double opt-in ${doubleOptIn.toLowerCase()}`]),
  ].join('; ');
}

const cellsOf = (row: TableRow): string[] => [
  row.code === '' ? row.name : `\`${row.code}\` ${row.name}`,
  row.from,
  row.acts,
  row.model,
  row.gpc,
  row.dataRequests,
  row.consent,
  row.doubts.join('. '),
];

/** The tables as Markdown, kept as `docs/jurisdictions.md`; a test compares the two. */
export function policyMarkdown(): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const tables = policyTables().map(
    ({ title, rows, sources }) =>
      `## ${title}\n\n${line(HEADINGS)}${line(HEADINGS.map(() => '---'))}${rows.map((row) => line(cellsOf(row))).join('')}${sources.length === 0 ? '' : `\nSources:\n\n${sources.map(({ act, source }) => `- ${act}: ${source}\n`).join('')}`}`,
  );
  return `# Law by place\n\n${TABLE_INTRODUCTION}\n\nGenerated from the data in \`libs/policy/laws\`; a running installation shows the same at \`/docs/policy\`.\n\n${tables.join('\n')}`;
}
