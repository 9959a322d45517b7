import { isId } from './ids.js';
import { invalidReference as invalid, normalise, REFERENCE_VALUE_MAX_LENGTH } from './normalise.js';
import { ONE_LINE } from './one-line.js';
import { isRefusal, refusal, type Refusal } from './refusal.js';

/** The kinds of identifier a subject can be addressed by; `custom.<slug>` comes beside them. */
export const IDENTIFIER_KINDS = [
  'email',
  'phone',
  'user_id',
  'external_id',
  'visitor_id',
  'device_id',
  'idfa',
  'idfv',
  'gaid',
] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number] | `custom.${string}` | 'subject';

/** An identifier of a data subject, normalised: two spellings of the same person give the same reference. */
export interface Reference {
  kind: IdentifierKind;
  value: string;
}

/** Longest reference that is read, in UTF-16 units, before normalisation. */
export const REFERENCE_MAX_LENGTH = 800;

const CUSTOM_KIND = /^custom\.[a-z][a-z0-9_]{0,39}$/;
/** Whether a site can register this as a kind of its own. */
export const isCustomKind = (kind: string): boolean => CUSTOM_KIND.test(kind);

/**
 * Reads `<kind>:<value>`, split at the first colon, and normalises the value by the published rules.
 * Refuses with `subject_ref_invalid` or `identifier_kind_unknown`.
 */
export function parseReference(text: string): Reference | Refusal {
  if (text.length > REFERENCE_MAX_LENGTH)
    return invalid(
      'The subject reference is too long.',
      `Send at most ${REFERENCE_VALUE_MAX_LENGTH} characters of value.`,
    );
  if (isId('sub', text)) return { kind: 'subject', value: text };
  const colon = text.indexOf(':');
  if (colon < 1)
    return invalid(
      'The subject reference is not of the form <kind>:<value>.',
      'Send for example "visitor_id:<random id>" or "email:<address>", percent-encoded in a path.',
    );
  const kind = text.slice(0, colon);
  const value = text.slice(colon + 1);
  if (kind !== 'subject' && !(IDENTIFIER_KINDS as readonly string[]).includes(kind) && !isCustomKind(kind)) {
    return refusal(
      'identifier_kind_unknown',
      'That identifier kind does not exist.',
      `Use one of ${IDENTIFIER_KINDS.join(', ')}, custom.<slug> or subject.`,
    );
  }
  if (!value.isWellFormed() || !ONE_LINE.test(value))
    return invalid(
      'The subject reference holds characters that no identifier has.',
      'Remove control characters and broken Unicode from the value.',
    );
  const normalised = normalise(kind, value);
  return isRefusal(normalised) ? normalised : { kind: kind as IdentifierKind, value: normalised };
}

/** The reference as text: what tokens, look-ups and the vault are made from. */
export const referenceText = (ref: Reference): string => `${ref.kind}:${ref.value}`;
