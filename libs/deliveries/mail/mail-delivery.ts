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
/** Greylisting lets the second or third pass; after two days a server is not coming back for this mail. */
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

/** What is left of a mail as proof: no address, no text. */
export interface MailEvidence {
  messageId: string;
  /** The server's reply code or a word of ours where it was not accepted. */
  code: string | null;
  response: string;
}

export interface MailOrder extends MailAbout {
  /** What makes it one mail: the id of the token or request behind it. */
  key: string;
  mail: Mail;
  /** After this it need not arrive any more. */
  giveUpAt?: string;
}

/** Answers for the mails about subjects that wait: whether each is still wanted, and what became of it. */
export interface MailKeeper {
  /** Wraps the sending of mails, so that a mail which nobody wants any more is not sent. */
  whileWanted(send: Deliver<MailEvidence>): Deliver<MailEvidence>;
  /** Called at least once for each mail, so it must do nothing the second time. */
  noteOutcome(mail: DeliveryName, outcome: Outcome<MailEvidence>): Promise<void>;
}

/**
 * A mail as it waits: sealed with its subject's key, so that erasing the subject erases it. A mail about nobody is sealed with
 * `cipherOfNobody`; it should be given up on soon.
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

/** Ends those of these mails that still wait, unsent. */
export const dropMails = (queries: Queries, keys: readonly string[]): Promise<number> =>
  dropKeys(queries, { channel: MAIL_CHANNEL, endpoint: ENDPOINT }, keys);

/** Seals what is about no subject with a key of the installation. */
export const cipherOfNobody = (sealing: Sealing): FieldCipher => ({
  encrypt: (field, clear) => Buffer.from(sealing.seal(field, Buffer.from(JSON.stringify(clear)))).toString('base64'),
  decrypt: (field, sealed) =>
    JSON.parse(Buffer.from(sealing.open(field, Buffer.from(sealed as string, 'base64'))).toString()) as unknown,
});

/** Opens what was sealed, hands it to the mailer, and says what that means for the delivery. */
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
