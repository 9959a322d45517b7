import type { Scope } from '../../kernel/index.js';
import type { Database } from '../../engines/database/database.js';
import type { Sealing } from '../../vault/master-key.js';
import {
  faultOf,
  unusable,
  type Mail,
  type MailAbout,
  type Mailer,
  type MailOutcome,
} from '../../engines/mail/mail.js';

export interface KeptMail {
  id: bigint;
  site: string;
  at: Date;
  mail: Mail;
}

const MOST_KEPT = 500;
const KEPT_DAYS = 7;

/** Mails that are too old, and those that exceed the limit once another one is put in. */
const SURPLUS = `created_at < now() - make_interval(days => ${KEPT_DAYS}) or id <= (select id from mail.outbox order by id desc offset ${MOST_KEPT - 1} limit 1)`;
// A mail may be sent again if its first acceptance was not noted: it is then kept once.
const PUT = {
  name: 'outbox_put',
  text: `with gone as (delete from mail.outbox where ${SURPLUS})
         insert into mail.outbox (message_id, site, env, subject_id, sealed) values ($1, $2, $3, $4, $5) on conflict (message_id) do nothing`,
};
const SHOWN = `select id, message_id, site, sealed, created_at from mail.outbox where created_at >= now() - make_interval(days => ${KEPT_DAYS})`;
const LIST = { name: 'outbox_list', text: `${SHOWN} and ($1::bigint is null or id < $1) order by id desc limit $2` };
const FIND = { name: 'outbox_find', text: `${SHOWN} and id = $1` };
const DROP = { name: 'outbox_drop_subjects', text: 'delete from mail.outbox where subject_id = any($1)' };
const OF_SITE = {
  name: 'outbox_of_site',
  text: 'select id, message_id, sealed from mail.outbox where site = $1 and env = $2',
};
const DROP_MAILS = { name: 'outbox_drop_mails', text: 'delete from mail.outbox where id = any($1::bigint[])' };
const PRUNE = { name: 'outbox_prune', text: `delete from mail.outbox where ${SURPLUS}` };

interface Row {
  id: bigint;
  message_id: string;
  site: string;
  sealed: Buffer;
  created_at: Date;
}

/**
 * Takes mail while there is no SMTP server: a table of the last 500 mails of seven days, each sealed. It refuses mail of
 * live environments, because its recipient would never read it.
 */
export class MailOutbox implements Mailer {
  constructor(
    private readonly database: Database,
    private readonly sealing: Sealing,
  ) {}

  async send(mail: Mail, { scope, subjectId }: MailAbout): Promise<MailOutcome> {
    const fault = faultOf(mail);
    if (fault !== null) return unusable(fault);
    if (scope.env !== 'test')
      return {
        kind: 'permanent',
        code: 'smtp_not_configured',
        response: 'SMTP_URL is not set, and the outbox takes mail of test environments only',
      };
    const sealed = Buffer.from(this.sealing.seal(purpose(mail.messageId), Buffer.from(JSON.stringify(mail))));
    await this.database.query(PUT, [mail.messageId, scope.site, scope.env, subjectId ?? NO_SUBJECT, sealed]);
    return { kind: 'accepted', response: 'kept in the outbox' };
  }

  /** Newest first, older than `before`. */
  async list(before: bigint | null, limit: number): Promise<KeptMail[]> {
    return (await this.database.query<Row>(LIST, [before, limit])).map((row) => this.opened(row));
  }

  async find(id: bigint): Promise<KeptMail | null> {
    const [row] = await this.database.query<Row>(FIND, [id]);
    return row ? this.opened(row) : null;
  }

  private opened(row: Row): KeptMail {
    const { id, site, created_at: at } = row;
    return { id, site, at, mail: openedMail(this.sealing, row) };
  }
}

/** Deletes the mails to these subjects. */
export async function forgetMails(database: Database, subjectIds: readonly string[]): Promise<void> {
  await database.query(DROP, [subjectIds]);
}

/**
 * Deletes the mails to these addresses. Only the sealed mail names its recipient, so this opens all mails of the site: at
 * most 500.
 */
export async function forgetMailsTo(
  database: Database,
  sealing: Sealing,
  { site, env }: Scope,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  const rows = await database.query<Pick<Row, 'id' | 'message_id' | 'sealed'>>(OF_SITE, [site, env]);
  const theirs = rows.filter((row) => addresses.includes(openedMail(sealing, row).to));
  if (theirs.length > 0) await database.query(DROP_MAILS, [theirs.map(({ id }) => id)]);
}

/** Deletes mails older than seven days. `send` does it too, but an idle outbox gets no new mail. */
export async function pruneMails(database: Database): Promise<void> {
  await database.query(PRUNE, []);
}

/** Stands for the subject of a mail that has none. */
const NO_SUBJECT = '';
const openedMail = (sealing: Sealing, { message_id: messageId, sealed }: Pick<Row, 'message_id' | 'sealed'>): Mail =>
  JSON.parse(Buffer.from(sealing.open(purpose(messageId), sealed)).toString()) as Mail;
const purpose = (messageId: string): string => `outbox/${messageId}`;
