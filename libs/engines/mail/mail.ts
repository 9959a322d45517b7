import { createHash } from 'node:crypto';
import type { Reference, Scope } from '../../kernel/index.js';

/** Injection token of the sender of all mail. */
export const MAIL_SENDER = Symbol('MailSender');
/** Injection token: whether mail goes to a server (boolean). Without one only mail of test environments goes anywhere. */
export const MAIL_HAS_SERVER = Symbol('MailHasServer');

/** Injection token of the operator's mail address (string); null: the operator wants no mail. */
export const OPERATOR_ADDRESS = Symbol('OperatorAddress');

export interface Sender {
  /** Shown before the address; may be empty. */
  name: string;
  address: string;
}

/** One mail to one person, in one language. */
export interface Mail {
  /** With its angle brackets; the same over all attempts. See messageIdOf. */
  messageId: string;
  from: Sender;
  /** A bare address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Besides those that the other fields make. */
  headers: Readonly<Record<string, string>>;
  /** BCP 47. */
  language: string;
  dir: 'ltr' | 'rtl';
}

/** The subject of a mail, for our records; it is never sent. `subjectId`: null where no subject has the address. */
export interface MailAbout {
  scope: Scope;
  subjectId: string | null;
}

/**
 * The outcome of one attempt. `transient`: the server may take the same mail later. `code` is the server's reply code or
 * a word of ours; `response` its answer, at most 200 characters, without addresses.
 */
export type MailOutcome =
  { kind: 'accepted'; response: string } | { kind: 'transient' | 'permanent'; code: string; response: string };

export interface Mailer {
  /** Resolves with the outcome. Rejects only where a part of our own is away, such as the database. */
  send(mail: Mail, about: MailAbout, signal?: AbortSignal): Promise<MailOutcome>;
}

const RESPONSE_LENGTH_MAX = 200;
const HEADERS_MAX = 20;
/** RFC 5322 2.1.1 allows 998 with the name. */
const HEADER_LENGTH_MAX = 900;
const SUBJECT_LENGTH_MAX = 200;
/** RFC 5321 4.5.3.1. */
const ADDRESS_LENGTH_MAX = 254;
const BODY_LENGTH_MAX = 100_000;

/** The mail addresses among a subject's references. */
export const addressesIn = (references: readonly Reference[]): string[] =>
  references.filter(({ kind }) => kind === 'email').map(({ value }) => value);

/** Characters that end a line, or that a mail program could read as an end. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** One bare address: no list, name, comment or quoting. Only its server knows whether it exists. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,253}$/u;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,60}$/;
/** Headers that are made from the other fields only; a caller cannot set them. */
const OWN_HEADERS =
  /^(from|sender|reply-to|return-path|to|cc|bcc|subject|date|message-id|mime-version|content-.*|received|dkim-.*)$/i;
const MESSAGE_ID = /^<[A-Za-z0-9._-]{1,64}@[A-Za-z0-9.-]{1,253}>$/;

/** Why no mailer can send this mail; null where one can. The text repeats nothing of the mail. */
export function faultOf(mail: Mail): string | null {
  for (const [place, text] of [
    ['recipient', mail.to],
    ['sender', mail.from.address],
  ] as const) {
    if (text.length > ADDRESS_LENGTH_MAX || UNSAFE.test(text) || !ADDRESS.test(text))
      return `the ${place} is not one bare address`;
  }
  if (!MESSAGE_ID.test(mail.messageId)) return 'the Message-ID is not one';
  for (const [place, text, most] of [
    ['sender name', mail.from.name, SUBJECT_LENGTH_MAX],
    ['subject', mail.subject, SUBJECT_LENGTH_MAX],
    ['language', mail.language, 35],
  ] as const) {
    if (UNSAFE.test(text) || text.length > most)
      return `the ${place} holds a line break or control character, or more than ${most} characters`;
  }
  const headers = Object.entries(mail.headers);
  if (headers.length > HEADERS_MAX) return `there are more than ${HEADERS_MAX} headers`;
  for (const [name, value] of headers) {
    if (!HEADER_NAME.test(name) || OWN_HEADERS.test(name)) return 'a header has a name that cannot be set';
    if (UNSAFE.test(value) || value.length > HEADER_LENGTH_MAX)
      return `the header ${name} holds a line break or control character, or more than ${HEADER_LENGTH_MAX} characters`;
  }
  return mail.text.length > BODY_LENGTH_MAX || mail.html.length > BODY_LENGTH_MAX
    ? `a part has more than ${BODY_LENGTH_MAX} characters`
    : null;
}

export const unusable = (fault: string): MailOutcome => ({ kind: 'permanent', code: 'mail_unusable', response: fault });

/** The Message-ID of a mail, for ever the same for one id: a mail program recognises a repeated mail. It hides the id. */
export function messageIdOf(stableId: string, domain: string): string {
  return `<${createHash('sha256').update(`message-id\n${stableId}`).digest('hex').slice(0, 40)}@${domain.toLowerCase()}>`;
}

/** Headers for unsubscribing by one click (RFC 2369, RFC 8058). The mail program POSTs to `url` without cookies or keys. */
export const listUnsubscribe = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** A server's answer as evidence: short, on one line, without any address and without parts of the recipient's. */
export function withoutAddresses(response: string, recipient: string): string {
  const [local = '', domain = ''] = recipient.split('@');
  const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const parts = [local, domain].filter(Boolean).map((part) => `(?<![\\p{L}\\p{N}])${escape(part)}(?![\\p{L}\\p{N}])`);
  return response
    .replace(/[^\s<>"'(),;]+@[^\s<>"'(),;]+/gu, '[address]')
    .replace(new RegExp(parts.join('|') || '(?!)', 'giu'), '[address]')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, RESPONSE_LENGTH_MAX);
}
