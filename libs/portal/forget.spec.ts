import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openedByMaster } from '../../test/support/sealed-bytes.js';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import type { DataRequests } from '../data-requests/intake.js';
import { instantOf, type Reference, type Scope } from '../kernel/index.js';
import { MasterKey } from '../vault/master-key.js';
import { CodeRows } from './codes/code-rows.js';
import { MailedCodes } from './codes/mailed-codes.js';
import { forgetAsked } from './forget.js';
import { OptOuts } from './intake/opt-outs.js';

const scope: Scope = { site: 'shop', env: 'test' };
const elsewhere: Scope = { site: 'other', env: 'test' };
const brand = { name: 'Shop', logo: null, accent: null, imprintUrl: null, privacyUrl: null };
const master = new MasterKey(randomBytes(32));
const email = (name: string): Reference => ({ kind: 'email', value: `${name}@example.org` });
const ADA = 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S';

let world: LogDatabase;
beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
});
afterAll(() => world?.stop());

it('who is erased is in no code, no waiting mail and no waiting opt-out, and others are', async () => {
  const { database } = world;
  const sender = { name: '', address: 'no-reply@shop.example' };
  const codes = new MailedCodes(new CodeRows(database), master, () => instantOf(Date.now()), sender, false);
  const optOuts = new OptOuts(database, master, {} as DataRequests);
  const receivedAt = instantOf(Date.now());
  for (const [of, subject] of [
    [scope, email('ada')],
    [scope, email('ada.old')],
    [scope, email('grace')],
    [elsewhere, email('ada')],
  ] as const) {
    const asked = { scope: of, purpose: 'SIGN_IN', address: subject.value, content: { subject } } as const;
    await codes.send({ ...asked, language: 'en', brand });
    await optOuts.take(of, { subject, type: 'OPT_OUT_SALE_SHARE', receivedAt });
  }
  await optOuts.take(scope, { subject: { kind: 'subject', value: ADA }, type: 'OPT_OUT_SALE_SHARE', receivedAt });
  const left = async (place: string): Promise<string[]> =>
    (await openedByMaster(database, master))
      .get(place)!
      .split('\n')
      .map((text) => /[a-z.]+@example\.org|sub_\w+/.exec(text)?.[0] ?? '')
      .sort();
  const all = ['ada', 'ada', 'ada.old', 'grace'].map((name) => email(name).value).sort();
  expect(await left('portal.code.sealed')).toEqual(all);
  expect(await left('deliveries.delivery.payload')).toEqual([...all, ...all, ADA].sort());

  const erased = { scope, subjectIds: [ADA], references: [email('ada'), email('ada.old')] };
  for (const _ of ['once', 'and again, after a crash']) await forgetAsked({ database, master }, erased);
  const others = ['ada', 'grace'].map((name) => email(name).value);
  expect(await left('portal.code.sealed')).toEqual(others);
  expect(await left('deliveries.delivery.payload')).toEqual([...others, ...others].sort());
  const [{ open }] = (await database.run(
    'select count(*)::int as open from deliveries.delivery where finished_at is null',
  )) as [{ open: number }];
  expect(open).toBe(4);
});
