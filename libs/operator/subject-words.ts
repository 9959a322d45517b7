import type { DomainEvent } from '../kernel/index.js';

export interface ShownIdentifier {
  kind: string;
  /** Null: it was forgotten. */
  value: string | null;
  verified: boolean;
  addedAt: string;
}

type Data = Record<string, unknown>;

/** Identifiers in the order in which they came, from the events that are about them. */
export function identifiersOf(events: readonly DomainEvent[], mask: (text: string) => string): ShownIdentifier[] {
  const found = new Map<string, ShownIdentifier>();
  for (const { type, data } of events as readonly { type: string; data: Data | null }[]) {
    const id = data?.['identifierId'] as string | undefined;
    if (type === 'IdentifierAdded' && id !== undefined) {
      const { kind, value, verifiedAt, addedAt } = data as Data;
      found.set(id, {
        kind: String(kind),
        value: typeof value === 'string' ? mask(value) : null,
        verified: typeof verifiedAt === 'string',
        addedAt: String(addedAt),
      });
    } else if (type === 'IdentifierVerified' && id !== undefined && found.has(id))
      found.set(id, { ...found.get(id)!, verified: true });
    else if (type === 'SubjectRectified')
      for (const { identifierId } of listOf(data?.['removed'])) found.delete(String(identifierId));
  }
  return [...found.values()];
}

/** One line of a timeline. Texts that a person may have written are masked. */
export function whatHappened({ type, data }: DomainEvent, mask: (text: string) => string): string {
  const of = (data ?? {}) as Data;
  switch (type) {
    case 'ConsentRecorded':
      return `${String(of['purpose'])} ${String(of['decision'])}, version ${String(of['purposeVersion'])}${of['appliedToState'] === false ? ', without effect: a newer decision stands' : ''}`;
    case 'ConsentExpired':
      return `${String(of['purpose'])} EXPIRED`;
    case 'IdentifierAdded':
      return `${String(of['kind'])} ${typeof of['value'] === 'string' ? mask(of['value']) : '(forgotten)'}`;
    case 'SubjectRectified':
      return [
        ...listOf(of['removed']).map(({ kind }) => `${String(kind)} removed`),
        ...['locale', 'country'].flatMap((name) =>
          of[name] === undefined ? [] : [`${name} = ${of[name] === null ? '(none)' : said(of[name], mask)}`],
        ),
      ].join(', ');
    case 'PreferenceSet':
      return listOf(of['changes'])
        .map(({ field, wanted, value }) => `${String(field)} = ${said(wanted ?? value, mask)}`)
        .concat(of['globalOptOut'] === undefined ? [] : ['all of them'])
        .join(', ');
    case 'PreferenceConfirmationRequested':
    case 'PreferenceConfirmed':
    case 'PreferenceConfirmationExpired':
      return listOf(of['fields'])
        .map(({ field }) => String(field))
        .join(', ');
    case 'SubjectsMerged':
    case 'SubjectMergeReverted':
      return `${String(of['absorbedId'] ?? '')} into ${String(of['survivorId'] ?? '')}`;
    case 'SubjectErased':
      return String(of['reason'] ?? '');
    default:
      return '';
  }
}

/** Nothing where this release cannot read the event. */
const listOf = (value: unknown): Data[] => (Array.isArray(value) ? (value as Data[]) : []);

const said = (value: unknown, mask: (text: string) => string): string =>
  typeof value === 'string'
    ? mask(value)
    : value === undefined || value === null
      ? '(forgotten, or cleared)'
      : JSON.stringify(value);
