import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startSmtp, type SmtpServer } from '../../../test/support/smtp.js';
import { until } from '../../../test/support/timing.js';
import { Database } from '../../engines/database/database.js';
import { migrate } from '../../engines/database/migrate.js';
import { CreateDeliveries1763750000001 } from '../deliveries.migration.js';
import type { Outcome } from '../delivery.js';
import { enqueue } from '../queue.js';
import { DeliveryRunner } from '../runner.js';
import { MasterKey } from '../../vault/master-key.js';
import { fieldCipher } from '../../vault/vault.js';
import { composeMail } from './compose.js';
import { cipherWithoutSubject, deliverMail, MAIL_CHANNEL, mailDelivery, type MailEvidence } from './mail-delivery.js';
import { messageIdOf, type Mail } from '../../engines/mail/mail.js';
import { SmtpMailer } from '../../engines/mail/smtp.js';

let admin: pg.Client;
let name: string;
let database: Database;
let server: SmtpServer;
const keys = new Map<string, Buffer>();
const master = new MasterKey(randomBytes(32));
const withoutSubject = cipherWithoutSubject({
  seal: (purpose, clear) => master.sealSecret(purpose, clear),
  open: (purpose, sealed) => master.openSecret(purpose, sealed),
});
const cipherOf = async (subjectId: string | null) =>
  subjectId === null ? withoutSubject : fieldCipher(subjectId, keys.get(subjectId) ?? null);
const runners: DeliveryRunner<MailEvidence>[] = [];
let finished: Map<string, Outcome<MailEvidence>>;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env['ASSENT_TEST_POSTGRES']! });
  await admin.connect();
  name = `mail_${process.pid}_${Date.now()}`;
  await admin.query(`create database ${name}`);
  const url = new URL(process.env['ASSENT_TEST_POSTGRES']!);
  url.pathname = `/${name}`;
  await migrate(url.href, [CreateDeliveries1763750000001]);
  database = new Database(url.href, { max: 6, budgetMs: 10_000 });
});
afterAll(async () => {
  await database.close();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});
beforeEach(async () => {
  server = await startSmtp();
  finished = new Map();
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await server.stop();
  await database.run('delete from deliveries.delivery');
});

function run(url = server.url, totalMs = 20_000): void {
  const runner = new DeliveryRunner<MailEvidence>({
    database,
    channel: MAIL_CHANNEL,
    deliver: deliverMail(new SmtpMailer({ url, totalMs }), cipherOf),
    scheduleMs: [20, 20, 20],
    graceMs: 100,
    onFinished: async ({ key }, outcome) => void finished.set(key, outcome),
  });
  runners.push(runner);
  runner.start();
}

async function order(key: string, subjectId: string | null = `sub_${key}`): Promise<Mail> {
  if (subjectId !== null && !keys.has(subjectId)) keys.set(subjectId, randomBytes(32));
  const mail: Mail = {
    messageId: messageIdOf(key, 'shop.example'),
    from: { name: 'Shop', address: 'no-reply@shop.example' },
    to: 'ada@example.org',
    subject: `Mail ${key}`,
    ...composeMail({ language: 'en', dir: 'ltr', heading: 'Almost done', paragraphs: ['Hello'], footer: [] }),
    headers: {},
    language: 'en',
    dir: 'ltr',
  };
  await enqueue(database, [
    mailDelivery({ key, scope: { site: 'demo', env: 'live' }, subjectId, mail }, await cipherOf(subjectId)),
  ]);
  return mail;
}

const outcomeOf = (key: string): Promise<Outcome<MailEvidence>> => until(() => finished.get(key));

describe('a mail that waits', () => {
  it('is sealed, and arrives with proof of what the server said', async () => {
    const mail = await order('a');
    expect(
      JSON.stringify(
        await database.run(
          `select to_jsonb(d)::text as all, encode(payload, 'escape') as plain from deliveries.delivery d`,
        ),
      ),
    ).not.toMatch(/ada@example|no-reply@shop|Almost done/);
    run();
    expect(await outcomeOf('a')).toEqual({
      outcome: 'delivered',
      attempts: 1,
      evidence: { messageId: mail.messageId, code: null, response: '250 queued as 1' },
    });
    expect(server.received[0]!.email).toMatchObject({ messageId: mail.messageId, subject: 'Mail a' });
  });

  it('is sent again under the same Message-ID where the line was cut after the whole mail', async () => {
    server.next('drop');
    const mail = await order('a');
    run();
    expect(await outcomeOf('a')).toMatchObject({ outcome: 'delivered', attempts: 2 });
    expect(server.received.map(({ email }) => email.messageId)).toEqual([mail.messageId, mail.messageId]);
  });

  it('is sent again where the server was busy or slow', async () => {
    server.next({ at: 'recipient', code: 451, text: '4.7.1 Greylisted' }, 'hang');
    await order('a');
    run(server.url, 300);
    expect(await outcomeOf('a')).toMatchObject({ outcome: 'delivered', attempts: 3 });
  });

  it('waits for a server that is away', async () => {
    const url = server.url;
    await server.stop();
    await order('a');
    run(url);
    await until(() =>
      database.run(`select 1 from deliveries.delivery where last_reason is not null`).then(([row]) => row),
    );
    expect(await database.run('select channel, endpoint, last_reason from deliveries.delivery')).toEqual([
      { channel: 'mail', endpoint: 'smtp', last_reason: 'connection_failed' },
    ]);
    expect(
      (await database.run<{ payload: Buffer }>('select payload from deliveries.delivery'))[0]!.payload.length,
    ).toBeGreaterThan(0);
  });

  it('is not sent again once it was refused for good', async () => {
    server.next({ at: 'recipient', code: 550, text: '5.1.1 <ada@example.org> unknown' });
    const { messageId } = await order('a');
    run();
    expect(await outcomeOf('a')).toEqual({
      outcome: 'failed',
      reason: '550',
      attempts: 1,
      evidence: { messageId, code: '550', response: expect.stringContaining('550 5.1.1 <[address]> unknown') },
    });
    expect(server.received).toEqual([]);
  });

  it('is given up when no server takes it', async () => {
    server.next(...Array.from({ length: 4 }, () => ({ at: 'content', code: 452, text: '4.3.1 Full' }) as const));
    await order('a');
    run();
    expect(await outcomeOf('a')).toMatchObject({
      outcome: 'failed',
      reason: 'given_up',
      attempts: 4,
      evidence: { code: '452' },
    });
  });

  it('about no subject is sealed too, and needs no key of a subject', async () => {
    await order('a', null);
    expect(
      JSON.stringify(await database.run(`select encode(payload, 'escape') as plain from deliveries.delivery`)),
    ).not.toMatch(/ada@example|no-reply@shop|Almost done/);
    run();
    expect(await outcomeOf('a')).toMatchObject({ outcome: 'delivered' });
    expect(server.received[0]!.email.subject).toBe('Mail a');
  });

  it('is not sent to a subject who was erased', async () => {
    await order('a');
    keys.delete('sub_a');
    run();
    expect(await outcomeOf('a')).toMatchObject({ outcome: 'failed', reason: 'subject_erased' });
    expect(server.received).toEqual([]);
  });
});
