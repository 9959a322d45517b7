import type { PublishedTemplate, TemplateView } from '../../catalogue/index.js';
import { CORRECTIONS_MAX, readCorrections, type Correction } from '../../data-requests/index.js';
import { isRefusal, type Reference, type Refusal } from '../../kernel/index.js';
import { wishOf } from '../../preferences/index.js';
import { changesIn, fieldRefused } from './preferences-form.js';

/** Identifiers that people know of themselves. They cannot spell the id of a browser or a device. */
const KINDS = ['email', 'phone', 'user_id', 'external_id'] as const;
const KINDS_MAX = 12;

/** The kinds of identifier that the form asks for. `own`: those that the site registered. */
export const kindsAsked = (own: readonly string[] = []): string[] => [...KINDS, ...own].slice(0, KINDS_MAX);

/** What stands in a choice for “there is none”. */
export const NONE = '-';
/** The name of a field of the form, and its id. */
export const wrongOf = (kind: string): string => `wrong.${kind}`;
export const rightOf = (kind: string): string => `right.${kind}`;
/** The id of the field of a preference. */
export const preferenceId = (key: string): string => `f-${key}`;

/** What a site knows, by which a form is read. */
export interface ReadBy {
  kinds: readonly string[];
  template: PublishedTemplate | undefined;
  view: TemplateView;
  reference: (text: string) => Reference | Refusal;
}

/** What is to be put right as `readCorrections` reads it; or the id of the field that is not understood, null: of no single one. */
export type CorrectionsRead = { corrections: Correction[] } | { wrong: string | null };

/** A correction, and the fields of the form that it came from. */
interface FromForm {
  correction: Correction;
  value: string;
  replaces?: string;
}

/** What a person filled in. What is left empty stays as it is; of preferences what was changed. */
export function correctionsIn(posted: Readonly<Record<string, string>>, by: ReadBy): CorrectionsRead {
  const preferences = preferencesIn(posted, by);
  if ('wrong' in preferences) return preferences;
  const asked = [
    ...by.kinds.flatMap((kind) => identifierIn(posted, kind)),
    ...factIn(posted, 'country', 'country'),
    ...factIn(posted, 'locale', 'language'),
    ...preferences.asked,
  ];
  if (asked.length > CORRECTIONS_MAX) return { wrong: null };
  const read = readCorrections(
    asked.map(({ correction }) => correction),
    by.reference,
  );
  if (!isRefusal(read)) return { corrections: read };
  const [, index = '', part] = /^corrections\[(\d+)\](?:\.(\w+))?/.exec(read.issues[0]?.path ?? '') ?? [];
  const from = asked[Number(index)];
  return { wrong: (part === 'replaces' ? from?.replaces : from?.value) ?? null };
}

function identifierIn(posted: Readonly<Record<string, string>>, kind: string): FromForm[] {
  const [wrong, right] = [posted[wrongOf(kind)]?.trim() ?? '', posted[rightOf(kind)]?.trim() ?? ''];
  if (wrong === '' && right === '') return [];
  const correction = { kind, value: right === '' ? null : right, ...(wrong !== '' && { replaces: wrong }) };
  return [{ correction, value: rightOf(kind), replaces: wrongOf(kind) }];
}

function factIn(posted: Readonly<Record<string, string>>, kind: 'country' | 'locale', name: string): FromForm[] {
  const chosen = posted[name] ?? '';
  return chosen === '' ? [] : [{ correction: { kind, value: chosen === NONE ? null : chosen }, value: name }];
}

function preferencesIn(
  posted: Readonly<Record<string, string>>,
  { template, view }: ReadBy,
): { asked: FromForm[] } | { wrong: string } {
  // Without it they were not asked for.
  if (posted['before'] === undefined) return { asked: [] };
  const changes = changesIn(posted, view);
  const asked: FromForm[] = [];
  for (const [i, { field, value }] of changes.values.entries()) {
    if (value === undefined) continue;
    const id = preferenceId(fieldRefused(`values[${i}]`, changes, view)!);
    if (isRefusal(wishOf(template, { field, value }, undefined, id))) return { wrong: id };
    asked.push({ correction: { kind: 'preference', field, value }, value: id });
  }
  return { asked };
}
