import { isForgotten, type FieldCipher } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { Attempted, DeliveryName, NewDelivery, Outcome } from '../delivery.js';
import { dropKeys } from '../queue.js';
import type { Deliver } from '../runner.js';
import type { Mail, MailAbout, Mailer } from '../../engines/mail/mail.js';
import type { Sealing } from '../../vault/master-key.js';

export const MAIL_CHANNEL = 'mail';
const ENDPOINT = 'smtp';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/**
 * A server that greylists takes the second or third attempt. A server that is down for two days is given up for this
 * mail.
 */
export const MAIL_SCHEDULE_MS: readonly number[] = [
  30 * SECOND,
  2 * MINUTE,
  6 * MINUTE,
  20 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  18 * HOUR,
];

/** Proof of a sent mail, without address and text. */
export interface MailEvidence {
  messageId: string;
  /** The server's reply code, or our own word where no server accepted the mail. */
  code: string | null;
  response: string;
}

export interface MailOrder extends MailAbout {
  /** Unique per mail: the id of the token or request that caused it. */
  key: string;
  mail: Mail;
  /** The mail is useless after this time. */
  giveUpAt?: string;
}

/** Decides for mails about subjects whether each is still wanted, and notes its outcome. */
export interface MailKeeper {
  /** Wraps the sending of mails, so that an unwanted mail is not sent. */
  whileWanted(send: Deliver<MailEvidence>): Deliver<MailEvidence>;
  /** Called at least once for each mail, so the second call must do nothing. */
  noteOutcome(mail: DeliveryName, outcome: Outcome<MailEvidence>): Promise<void>;
}

/**
 * A mail as it waits: sealed with its subject's key, so that erasing the subject makes it unreadable. A mail without a
 * subject is sealed with `cipherWithoutSubject`; give it an early `giveUpAt`.
 */
export function mailDelivery({ key, scope, subjectId, mail, giveUpAt }: MailOrder, cipher: FieldCipher): NewDelivery {
  const payload = Buffer.from(JSON.stringify(cipher.encrypt(fieldOf(key), mail)));
  return {
    channel: MAIL_CHANNEL,
    endpoint: ENDPOINT,
    key,
    scope,
    subjectId,
    payload,
    ...(giveUpAt !== undefined && { giveUpAt }),
  };
}

/** Ends those of these mails that still wait. They are not sent. */
export const dropMails = (queries: Queries, keys: readonly string[]): Promise<number> =>
  dropKeys(queries, { channel: MAIL_CHANNEL, endpoint: ENDPOINT }, keys);

/** Seals mails without a subject with a key of the installation. */
export const cipherWithoutSubject = (sealing: Sealing): FieldCipher => ({
  encrypt: (field, clear) => Buffer.from(sealing.seal(field, Buffer.from(JSON.stringify(clear)))).toString('base64'),
  decrypt: (field, sealed) =>
    JSON.parse(Buffer.from(sealing.open(field, Buffer.from(sealed as string, 'base64'))).toString()) as unknown,
});

/** Opens the sealed mail, hands it to the mailer, and translates the mailer's answer to an attempt. */
export function deliverMail(
  mailer: Mailer,
  cipherOf: (subjectId: string | null) => Promise<FieldCipher>,
): Deliver<MailEvidence> {
  return async ({ key, scope, subjectId, payload }, signal): Promise<Attempted<MailEvidence>> => {
    const opened = (await cipherOf(subjectId)).decrypt(fieldOf(key), JSON.parse(payload.toString()));
    if (isForgotten(opened)) return { outcome: 'failed', reason: 'subject_erased', evidence: null };
    const mail = opened as Mail;
    const sent = await mailer.send(mail, { scope, subjectId }, signal);
    const evidence = {
      messageId: mail.messageId,
      code: sent.kind === 'accepted' ? null : sent.code,
      response: sent.response,
    };
    if (sent.kind === 'accepted') return { outcome: 'delivered', evidence };
    return { outcome: sent.kind === 'transient' ? 'retry' : 'failed', reason: sent.code, evidence };
  };
}

const fieldOf = (key: string): string => `mail/${key}`;
