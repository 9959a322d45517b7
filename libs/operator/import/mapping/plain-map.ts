import { didYouMean, type Issue } from '../../../kernel/index.js';
import { REJECT_COLUMNS } from '../reading/file-rows.js';

/** The columns of a plain file, and the field that each is. */
const COLUMNS: Readonly<Record<string, string>> = {
  subject: 'subject',
  kind: 'subject',
  value: 'value',
  purpose: 'purpose',
  decision: 'decision',
  given_at: 'givenAt',
  expires_at: 'expiresAt',
  country: 'country',
  region: 'region',
  locale: 'locale',
  method: 'method',
  surface: 'surface',
  url: 'url',
  row_id: 'rowId',
  channel: 'channel',
  field: 'field',
  frequency: 'frequency',
  metadata: 'metadata',
};
const CONSENT = ['purpose', 'decision'];
const PREFERENCE = ['field', 'channel', 'frequency'];

/** The map of a plain file, whose columns have the names of the fields; or what is wrong with its header. */
export function plainMap(header: readonly string[]): { content: unknown } | { issues: Issue[] } {
  const names = header.map((name) => name.toLowerCase()).filter((name) => !isOfRejects(name));
  const has = (name: string): boolean => names.includes(name);
  const issues: Issue[] = names
    .filter((name) => !(name in COLUMNS) && !/^metadata\..+/.test(name))
    .map((name) => ({
      path: name,
      message: `is no column of a plain file${didYouMean(name, Object.keys(COLUMNS))}. Call it metadata.${name} to keep it, or write a map`,
    }));
  const missing = (path: string, message: string): void => void issues.push({ path, message });
  const [isConsent, isPreference] = [has('purpose'), has('field')];
  const byKind = has('kind') && has('value') && !isPreference;
  if (!has('subject') && !byKind)
    missing(
      'subject',
      isPreference
        ? 'is missing: references such as email:ada@example.org (value is the value of the preference here)'
        : 'is missing: references such as email:ada@example.org, or two columns kind and value',
    );
  if (!isConsent && !isPreference)
    missing('purpose', 'is missing: name a purpose and a decision, or the field and the value of a preference');
  if (isConsent && !has('decision'))
    missing('decision', 'is missing: GRANTED, DENIED, WITHDRAWN, OBJECTED or ACKNOWLEDGED');
  if (isPreference && !has('value')) missing('value', 'is missing: what is wanted, such as true or false');
  if (issues.length > 0) return { issues };

  const fields = names
    .filter((name) => !['subject', 'kind', 'value'].includes(name))
    .map((name) => [COLUMNS[name] ?? name, name] as const);
  const of = (without: readonly string[]): object => {
    const metadata = fields.filter(([field]) => field.startsWith('metadata.'));
    return {
      ...Object.fromEntries(fields.filter(([field]) => !without.includes(field) && !field.startsWith('metadata.'))),
      ...(metadata.length > 0 && {
        metadata: Object.fromEntries(metadata.map(([field, name]) => [field.slice('metadata.'.length), name])),
      }),
    };
  };
  const subject = byKind ? { column: 'value', kind: { column: 'kind' } } : 'subject';
  const both = isConsent && isPreference;
  const ofOneKind = (condition: object): object => (both ? { where: [{ column: 'field', ...condition }] } : {});
  return {
    content: {
      records: [
        ...(isConsent ? [{ subject, ...of(PREFERENCE), ...ofOneKind({ is: '' }) }] : []),
        ...(isPreference
          ? [
              {
                subject,
                ...of([...CONSENT, 'expiresAt', 'country', 'region']),
                value: 'value',
                ...ofOneKind({ isNot: '' }),
              },
            ]
          : []),
      ],
    },
  };
}

const isOfRejects = (name: string): boolean => (REJECT_COLUMNS as readonly string[]).includes(name);
