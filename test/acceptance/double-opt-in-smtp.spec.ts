import pg from 'pg';
import { until } from '../support/double-opt-in.js';
import { startSmtp, type SmtpServer } from '../support/smtp.js';
import { startWorld, type World } from '../support/world.js';

const ASSENT_OPERATOR_MAIL = 'privacy@shop.example';
let smtp: SmtpServer;
let world: World;
let database: pg.Client;
let people = 0;
beforeAll(async () => {
  smtp = await startSmtp();
  world = await startWorld({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'Shop <hello@shop.example>', ASSENT_OPERATOR_MAIL },
  });
  database = new pg.Client({ connectionString: world.databaseUrl! });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await world?.stop();
  await smtp?.stop();
});

const asked = async (
  address = `ada${++people}@smtp.example`,
): Promise<{ address: string; confirmUrl: string; token: string }> => {
  const { body } = await world.request('POST', '/v1/preferences/confirmation-token', {
    body: {
      subject: `email:${address}`,
      channel: 'email',
      values: [{ field: 'news', value: true }],
      redirectUrl: 'https://demo.example/thanks',
      to: address,
    },
  });
  return { address, ...body };
};
const mailsTo = (address: string) => smtp.received.filter(({ envelope }) => envelope.to.includes(address));
const outcomeOf = (address: string): Promise<Record<string, unknown>> =>
  until(
    async () =>
      (
        (await world.request('GET', `/v1/subjects/${encodeURIComponent(`email:${address}`)}/preferences/history`)).body
          .data as Record<string, unknown>[]
      ).find(({ object }) => object === 'preference_confirmation_mail')?.['delivery'] as
        Record<string, unknown> | undefined,
  );
/** The next attempt is due in half a minute; it is brought forward. */
const nextAttempt = (attempts: number): Promise<true> =>
  until(async () =>
    (
      await database.query(
        'update deliveries.delivery set due_at = now() where finished_at is null and lease is null and attempts = $1',
        [attempts],
      )
    ).rowCount === 1
      ? true
      : undefined,
  );

it('a mail goes to the server: text and HTML, from the sender that is set, with one click to unsubscribe', async () => {
  const { address, confirmUrl } = await asked();
  const { email, envelope } = await until(async () => mailsTo(address)[0]);
  expect(envelope).toEqual({ from: 'hello@shop.example', to: [address] });
  expect(email.from).toMatchObject({ name: 'Shop', address: 'hello@shop.example' });
  expect(email.text).toContain(confirmUrl);
  expect(email.html).toContain(confirmUrl.replaceAll('&', '&amp;'));
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value;
  expect(header('list-unsubscribe')).toMatch(/^<http.+\/v1\/preferences\/unsubscribe\?token=uft_.+>$/);
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(email.messageId).toMatch(/@shop\.example>$/);
  expect(await outcomeOf(address)).toMatchObject({
    outcome: 'ACCEPTED',
    messageId: email.messageId,
    code: null,
    attempts: 1,
  });
  expect((await world.request('GET', '/outbox', { key: 'operator' })).status).toBe(404);
});

it('a mail that was put off comes again as the same mail', async () => {
  smtp.next({ at: 'recipient', code: 451, text: '4.7.1 Greylisted, try again' }, 'drop');
  const { address } = await asked();
  await nextAttempt(1);
  await until(async () => mailsTo(address)[0]);
  await nextAttempt(2);
  const outcome = await outcomeOf(address);
  expect(new Set(mailsTo(address).map(({ email }) => email.messageId))).toEqual(new Set([outcome['messageId']]));
  expect(mailsTo(address)).toHaveLength(2);
  expect(outcome).toMatchObject({ outcome: 'ACCEPTED', attempts: 3 });
});

it('a mail that is refused for good is said to be, without its address', async () => {
  smtp.next({ at: 'recipient', code: 550, text: '5.1.1 No such user' });
  const { address } = await asked();
  const outcome = await outcomeOf(address);
  expect(outcome).toMatchObject({ outcome: 'FAILED', code: '550', attempts: 1 });
  expect(JSON.stringify(outcome)).not.toContain(address);
});

it('a mail that nobody waits for any more is not sent', async () => {
  smtp.next({ at: 'recipient', code: 451, text: '4.7.1 Greylisted, try again' });
  const { address } = await asked();
  await until(async () =>
    (
      await database.query(
        'select 1 from deliveries.delivery where finished_at is null and attempts = 1 and lease is null',
      )
    ).rowCount === 1
      ? true
      : undefined,
  );
  await asked(address);
  await database.query('update deliveries.delivery set due_at = now() where finished_at is null');
  await until(async () =>
    (await database.query('select 1 from deliveries.delivery where finished_at is null')).rowCount === 0
      ? true
      : undefined,
  );
  expect(mailsTo(address)).toHaveLength(1);
  const { rows } = await database.query<{ reason: string }>(
    `select outcome->>'reason' as reason from deliveries.delivery where outcome->>'outcome' = 'failed' order by id desc limit 1`,
  );
  expect(rows[0]!.reason).toBe('not_wanted');
});

it('what waits and what was tried is counted', async () => {
  const { text } = await world.request('GET', '/metrics', { key: null });
  expect(text).toMatch(/assent_delivery_attempts_total\{channel="mail",outcome="delivered"\} [1-9]/);
  expect(text).toMatch(/assent_delivery_attempts_total\{channel="mail",outcome="retry"\} [1-9]/);
});

it('the operator is told once of a data request that comes in, and of its date, without a word of the person', async () => {
  const { body } = await world.request('POST', '/v1/data-requests', {
    body: {
      subject: 'email:rita@smtp.example',
      type: 'APPEAL',
      jurisdiction: { country: 'TR' },
      receivedAt: '2026-01-05T10:00:00Z',
      details: 'Rita wants to know.',
    },
  });
  const mails = await until(async () => {
    const found = mailsTo(ASSENT_OPERATOR_MAIL).filter(({ raw }) => raw.includes(body.id as string));
    return found.length >= 2 ? found : undefined;
  });
  const subjects = mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)![1]!.trim());
  expect(subjects.map((subject) => subject.split(':')[0])).toEqual([
    'A data request came in',
    'A data request should have been answered by now',
  ]);
  for (const { raw } of mails) expect(raw.toLowerCase()).not.toContain('rita');
});
