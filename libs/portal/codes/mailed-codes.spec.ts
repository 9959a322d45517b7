import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Refused, Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { migrate } from '../../engines/database/migrate.js';
import { CreateDeliveries1763750000001 } from '../../deliveries/deliveries.migration.js';
import { cipherWithoutSubject } from '../../deliveries/mail/mail-delivery.js';
import type { Mail } from '../../engines/mail/mail.js';
import { MasterKey } from '../../vault/master-key.js';
import { CreatePortal1763870000001 } from './codes.migration.js';
import { CodeRows, pruneCodes } from './code-rows.js';
import { MailedCodes } from './mailed-codes.js';

let admin: pg.Client;
let name: string;
let database: Database;
let now = '2026-11-21T12:00:00.000Z';
const master = new MasterKey(randomBytes(32));
const scope: Scope = { site: 'shop', env: 'test' };
const brand = { name: 'Shop', logo: null, accent: null, imprintUrl: null, privacyUrl: null };
let codes: MailedCodes;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env['ASSENT_TEST_POSTGRES']! });
  await admin.connect();
  name = `codes_${process.pid}_${Date.now()}`;
  await admin.query(`create database ${name}`);
  const url = new URL(process.env['ASSENT_TEST_POSTGRES']!);
  url.pathname = `/${name}`;
  await migrate(url.href, [CreateDeliveries1763750000001, CreatePortal1763870000001]);
  database = new Database(url.href, { max: 8, budgetMs: 20_000 });
  const sender = { name: '', address: 'no-reply@shop.example' };
  codes = new MailedCodes(new CodeRows(database), master, () => now, sender, false);
});
afterAll(async () => {
  await database.close();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});
beforeEach(async () => {
  now = '2026-11-21T12:00:00.000Z';
  await database.run('delete from portal.code');
  await database.run('delete from deliveries.delivery');
});

const send = (address: string, more: object = {}) =>
  codes.send({ scope, purpose: 'SIGN_IN', address, content: { for: address }, language: 'en', brand, ...more });
const open = (handle: string, code: string, of: Scope = scope, purpose: 'SIGN_IN' | 'DATA_REQUEST' = 'SIGN_IN') =>
  codes.open<{ for: string }>(of, purpose, handle, code).then(
    (content) => content.for,
    (error: Refused) => error.refusal.code,
  );
/** The mails that wait, opened as the one who sends them opens them. */
async function mails(): Promise<Mail[]> {
  const cipher = cipherWithoutSubject({
    seal: (purpose, clear) => master.sealSecret(purpose, clear),
    open: (purpose, sealed) => master.openSecret(purpose, sealed),
  });
  const rows = await database.run<{ key: string; payload: Buffer }>(
    'select key, payload from deliveries.delivery order by id',
  );
  return rows.map(({ key, payload }) => cipher.decrypt(`mail/${key}`, JSON.parse(payload.toString())) as Mail);
}
const codeIn = ({ text }: Mail): string => /^(\d{6})$/m.exec(text)![1]!;
const wrongFor = (code: string): string => (code === '111111' ? '222222' : '111111');

it('is mailed to the address and opens what it is for, at its own site, environment and purpose alone', async () => {
  const { handle, expiresAt } = await send('ada@example.org');
  expect(expiresAt).toBe('2026-11-21T12:10:00.000Z');
  const [mail] = await mails();
  expect(mail).toMatchObject({ to: 'ada@example.org', subject: 'Shop: your code' });
  const code = codeIn(mail!);
  expect(await open(handle, code, { site: 'other', env: 'test' })).toBe('token_invalid');
  expect(await open(handle, code, { site: 'shop', env: 'live' })).toBe('token_invalid');
  expect(await open(handle, code, scope, 'DATA_REQUEST')).toBe('token_invalid');
  expect(await open(handle, wrongFor(code))).toBe('token_invalid');
  expect(await open(handle, code)).toBe('ada@example.org');
  expect(await Promise.all([codes.use(handle), codes.use(handle), codes.use(handle)])).toEqual(
    expect.arrayContaining([true, false, false]),
  );
  expect(await open(handle, code)).toBe('token_invalid');
});

it('is over after ten minutes, and after five tries however many come at once', async () => {
  const late = await send('ada@example.org');
  const tried = await send('grace@example.org');
  const [code, other] = (await mails()).map(codeIn) as [string, string];
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => open(tried.handle, wrongFor(other))));
  expect(outcomes.filter((outcome) => outcome === 'token_invalid')).toHaveLength(5);
  expect(outcomes.filter((outcome) => outcome === 'token_expired')).toHaveLength(35);
  expect(await open(tried.handle, other)).toBe('token_expired');
  now = '2026-11-21T12:09:59.999Z';
  expect(await open(late.handle, code)).toBe('ada@example.org');
  now = '2026-11-21T12:10:00.000Z';
  expect(await open(late.handle, code)).toBe('token_expired');
});

it('is sent three times an hour to one address, also when a thousand ask, and to others all the same', async () => {
  const outcomes: string[] = [];
  for (let round = 0; round < 10; round++)
    outcomes.push(
      ...(await Promise.all(
        Array.from({ length: 100 }, () =>
          send('ada@example.org').then(
            () => 'sent',
            (error: Refused) => `${error.refusal.code} ${error.headers['Retry-After']}`,
          ),
        ),
      )),
    );
  expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(3);
  expect(outcomes.filter((outcome) => outcome === 'rate_limited 3600')).toHaveLength(997);
  await send('grace@example.org');
  await send('ada@example.org', { scope: { site: 'other', env: 'test' } });
  expect((await mails()).map(({ to }) => to).sort()).toEqual([
    ...Array.from({ length: 4 }, () => 'ada@example.org'),
    'grace@example.org',
  ]);
  expect(await database.run('select count(*)::int as rows from portal.code')).toEqual([{ rows: 5 }]);
}, 120_000);

it('stands nowhere in clear, nor does the address, and is gone after a day', async () => {
  const { handle } = await send('ada.lovelace@example.org');
  const [mail] = await mails();
  const cells = JSON.stringify([
    await database.run(`select t::text, encode(sealed, 'escape') from portal.code t`),
    await database.run(`select t::text, encode(payload, 'escape') from deliveries.delivery t`),
  ]);
  expect(cells).toContain(handle);
  expect(cells).not.toContain('lovelace');
  expect(cells).not.toMatch(new RegExp(`(?<!\\d)${codeIn(mail!)}(?!\\d)`));
  await database.run(`update portal.code set created_at = now() - interval '25 hours'`);
  await pruneCodes(database);
  expect(await database.run('select 1 from portal.code')).toEqual([]);
});

it('says no more what it was for once it is used, tried too often, or past its time', async () => {
  const rows = new CodeRows(database);
  const blank = async (): Promise<string[]> =>
    (await database.run<{ id: string }>(`select id from portal.code where sealed = '' order by id`)).map(
      ({ id }) => id,
    );
  const used = await send('ada@example.org');
  const tried = await send('grace@example.org');
  const late = await send('alan@example.org');
  const [code, other] = (await mails()).map(codeIn) as [string, string];
  expect(await blank()).toEqual([]);
  await open(used.handle, code);
  await codes.use(used.handle);
  expect(await blank()).toEqual([used.handle]);
  for (let tries = 1; tries < 5; tries++) await open(tried.handle, wrongFor(other));
  expect(await blank()).toEqual([used.handle]);
  await open(tried.handle, wrongFor(other));
  expect(await blank()).toEqual([used.handle, tried.handle].sort());
  await rows.blankOver('2026-11-21T12:09:59.999Z');
  expect(await blank()).toHaveLength(2);
  await rows.blankOver('2026-11-21T12:10:00.000Z');
  expect(await blank()).toEqual([used.handle, tried.handle, late.handle].sort());
  // They still count against the limit.
  expect(await database.run('select 1 from portal.code')).toHaveLength(3);
});

it('is refused where no mail would go anywhere', async () => {
  await expect(send('ada@example.org', { scope: { site: 'shop', env: 'live' } })).rejects.toMatchObject({
    refusal: { code: 'dependency_unavailable' },
  });
});
