import { domainToASCII } from 'node:url';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isId } from './ids.js';
import { refusal, type Refusal } from './refusal.js';

/** Longest value after normalisation. */
export const REFERENCE_VALUE_MAX_LENGTH = 700;

const LOCAL_PART_MAX_LENGTH = 64;
const DOMAIN_MAX_LENGTH = 253;

const E164 = /^\+[1-9]\d{7,14}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** RFC 9562: the nil UUID, which phones answer where the advertising id is off, and the max UUID. Neither is a person. */
const UUID_OF_NOTHING = /^(0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12})$/i;

/** White space and characters without a picture, as they come along when text is copied. */
const EDGES = /^[\s\p{Default_Ignorable_Code_Point}]+|[\s\p{Default_Ignorable_Code_Point}]+$/gu;
/** Joiners between letters beyond ASCII, which a value may hold: spelling (Persian, Hindi) or part of an emoji. */
const JOINERS =
  /(?<=[^\0-\x7f\p{Default_Ignorable_Code_Point}])[\u200c\u200d](?=[^\0-\x7f\p{Default_Ignorable_Code_Point}])/gu;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
/** Decoders write it for bytes they cannot read. With it Möller and Müller would become one text. */
const UNREADABLE = '\ufffd';

/** Texts that programs write where they have no value. Each would stand for many persons. */
const VALUES_OF_NOTHING: readonly string[] = ['undefined', 'null', 'NaN', 'None', '[object Object]'];

export const invalidReference = (message: string, hint: string): Refusal =>
  refusal('subject_ref_invalid', message, hint);

const HINTS: Record<string, string> = {
  email:
    'Send one bare address with a local part, an @ and a domain, such as ada@example.com: no name, no angle brackets or quotation marks, no "mailto:", no dot at the end.',
  phone:
    'Send one number that can be dialled from abroad, in E.164 form: a plus sign (%2B in a query), the country code and the number, without an extension.',
  idfa: 'Send the identifier as a UUID with hyphens and without braces.',
  idfv: 'Send the identifier as a UUID with hyphens and without braces.',
  gaid: 'Send the identifier as a UUID with hyphens and without braces.',
  subject: 'Send the id as it was answered: sub_ and 26 characters.',
};

/** The one spelling of a value, by the rules of docs/http-api.md; a refusal where it is no value of that kind. */
export function normalise(kind: string, text: string): string | Refusal {
  const value = text.replace(EDGES, '');
  if (value.includes(UNREADABLE) || INVISIBLE.test(value.replace(JOINERS, '')))
    return invalidReference(
      'The subject reference holds characters that cannot be seen or could not be read.',
      'Remove invisible characters, such as U+200B, from inside the value, and send it as UTF-8.',
    );
  if (UUID_OF_NOTHING.test(value) || VALUES_OF_NOTHING.includes(value))
    return invalidReference(
      'That value names no person: many persons would be one subject.',
      'Leave the identifier out where there is none, and use one of another kind.',
    );
  return (
    spelled(kind, value) ??
    invalidReference(`The value is not a valid ${kind}.`, HINTS[kind] ?? 'Send a value of 1 to 700 characters.')
  );
}

function spelled(kind: string, value: string): string | null {
  switch (kind) {
    case 'email':
      return emailOf(value);
    case 'phone':
      return phoneOf(value);
    case 'idfa':
    case 'idfv':
    case 'gaid':
      return UUID.test(value) ? value.toLowerCase() : null;
    case 'subject':
      return isId('sub', value) ? value : null;
    default:
      return opaqueOf(value);
  }
}

/** Folds neither dots nor `+tag`: only the mail server knows whether they matter before the @. */
function emailOf(value: string): string | null {
  // Normalised a second time, because lower case takes some letters out of the composed form.
  const address = value.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  if (at < 1 || local.length > LOCAL_PART_MAX_LENGTH || /[\s<>,;:"()[\]\\@]/.test(local)) return null;
  // Compared with what was typed, because the URL parser cuts off a path and decodes percent-encoding.
  const typed = address.slice(at + 1);
  const domain = /[/\\?#%]/.test(typed) ? '' : domainToASCII(typed);
  if (domain.length > DOMAIN_MAX_LENGTH || !/^([a-z0-9-]+\.)+(?!\d+$)[a-z0-9-]+$/.test(domain)) return null;
  return `${local}@${domain}`;
}

/**
 * E.164. A trunk prefix after the country code, in brackets or not, is dropped where the country has one, and stays
 * where it is part of the number (Italy), by the numbering plans that libphonenumber knows.
 */
function phoneOf(value: string): string | null {
  const typed = value.normalize('NFKC');
  if (!/^\+[\d\s().\-/\u2010-\u2015\u2212]+$/.test(typed)) return null;
  const phone = parsePhoneNumberFromString(typed, { extract: false });
  return phone?.isValid() && E164.test(phone.number) ? phone.number : null;
}

/** Unchanged but for what two systems spell in two ways: composed letters, kinds of blanks, the case of a UUID. */
function opaqueOf(value: string): string | null {
  const spelling = UUID.test(value) ? value.toLowerCase() : value.normalize('NFC').replace(/\p{Zs}/gu, ' ');
  return spelling.length >= 1 && spelling.length <= REFERENCE_VALUE_MAX_LENGTH ? spelling : null;
}
