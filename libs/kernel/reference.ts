import { domainToASCII } from 'node:url';
import { isId } from './ids.js';
import { ONE_LINE } from './one-line.js';
import { refusal, type Refusal } from './refusal.js';

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
/** Longest value after normalisation. */
export const REFERENCE_VALUE_MAX_LENGTH = 700;

const CUSTOM_KIND = /^custom\.[a-z][a-z0-9_]{0,39}$/;
/** Whether a site can register this as a kind of its own. */
export const isCustomKind = (kind: string): boolean => CUSTOM_KIND.test(kind);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const invalid = (message: string, hint: string): Refusal => refusal('subject_ref_invalid', message, hint);

/**
 * Reads `<kind>:<value>`, split at the first colon, and normalises the value by the published rules:
 * e-mail: trimmed, NFKC, lower case, IDNA domain, dots and plus kept; phone: E.164; advertising ids:
 * lower-case UUID; every other: trimmed. Refuses with `subject_ref_invalid` or `identifier_kind_unknown`.
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
  const normalised = normalise(kind as IdentifierKind, value.trim());
  if (normalised === null)
    return invalid(`The value is not a valid ${kind}.`, HINTS[kind] ?? 'Send a value of 1 to 700 characters.');
  return { kind: kind as IdentifierKind, value: normalised };
}

const HINTS: Record<string, string> = {
  email: 'Send one address with a local part, an @ and a domain.',
  phone: 'Send the number in E.164 form: a plus sign, country code and number, 8 to 15 digits.',
  idfa: 'Send the identifier as a UUID.',
  idfv: 'Send the identifier as a UUID.',
  gaid: 'Send the identifier as a UUID.',
  subject: 'Send the id as it was answered: sub_ and 26 characters.',
};

function normalise(kind: IdentifierKind, value: string): string | null {
  if (value.length < 1) return null;
  switch (kind) {
    case 'email':
      return normaliseEmail(value);
    case 'phone': {
      const digits = value.replace(/[\s().\-/]/g, '');
      return /^\+[1-9]\d{7,14}$/.test(digits) ? digits : null;
    }
    case 'idfa':
    case 'idfv':
    case 'gaid':
      return UUID.test(value.toLowerCase()) ? value.toLowerCase() : null;
    case 'subject':
      return isId('sub', value) ? value : null;
    default:
      return value.length <= REFERENCE_VALUE_MAX_LENGTH ? value : null;
  }
}

function normaliseEmail(text: string): string | null {
  const address = text.normalize('NFKC').trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = domainToASCII(address.slice(at + 1));
  if (at < 1 || local.length > 64 || /[\s<>,;"()[\]\\@]/.test(local)) return null;
  if (!domain || domain.length > 253 || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) return null;
  return `${local}@${domain}`;
}

/** The reference as text: what tokens, look-ups and the vault are made from. */
export const referenceText = (ref: Reference): string => `${ref.kind}:${ref.value}`;
