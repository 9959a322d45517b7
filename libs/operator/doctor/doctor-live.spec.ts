import { instantOf } from '../../kernel/index.js';
import { liveSettings, liveUpkeep } from './doctor-live.js';

const live: Parameters<typeof liveSettings>[0] = {
  publicUrl: 'https://consent.example',
  databaseUrl: 'postgres://db.internal/assent',
  masterKey: Buffer.alloc(32),
  smtpUrl: 'smtps://mail.example',
  mailFrom: { name: 'Shop', address: 'privacy@shop.example' },
  operatorMail: 'team@shop.example',
  demo: 'off',
  trustProxy: ['10.0.0.0/8'],
  operatorSignIn: 'oidc',
};
const verdicts = (change: Partial<typeof live>, isInProduction = true): Record<string, string> =>
  Object.fromEntries(
    liveSettings({ ...live, ...change }, isInProduction)
      .filter(({ verdict }) => verdict !== 'ok')
      .map(({ check, verdict }) => [check.replace('live: ', ''), verdict]),
  );

test('an installation that is ready has nothing to mend', () => {
  expect(verdicts({})).toEqual({});
  expect(JSON.stringify(liveSettings(live, true))).not.toContain('privacy@');
});

test.each<[Partial<typeof live>, Record<string, string>]>([
  [{ publicUrl: 'http://consent.example' }, { address: 'fail' }],
  [{ publicUrl: 'https://127.0.0.1:4100' }, { address: 'fail' }],
  [{ masterKey: null }, { 'master key': 'fail' }],
  [{ smtpUrl: null }, { mail: 'fail' }],
  [{ mailFrom: { name: '', address: 'no-reply@localhost' } }, { mail: 'fail' }],
  [{ demo: 'on' }, { demo: 'fail' }],
  [{ demo: null }, {}],
  [
    { demo: null, databaseUrl: null },
    { database: 'warn', demo: 'fail' },
  ],
  [{ trustProxy: [] }, { proxy: 'warn' }],
  [{ operatorMail: null }, { reminders: 'warn' }],
  [{ operatorSignIn: 'both' }, { 'sign-in': 'warn' }],
])('%j is said', (change, said) => {
  expect(verdicts(change)).toEqual(said);
});

test('a mode that prints keys is said', () => {
  expect(verdicts({}, false)).toEqual({ mode: 'warn' });
});

test('what was done is asked for by its age', async () => {
  const of = (days: number): Promise<string[]> =>
    liveUpkeep(
      {
        run: () =>
          Promise.resolve([{ what: 'BACKUP', at: new Date('2026-11-20T00:00:00Z'), result: { tables: 1, rows: 1 } }]),
      } as never,
      instantOf(Date.parse('2026-11-20T00:00:00Z') + days * 86_400_000),
    ).then((findings) => findings.map(({ verdict }) => verdict));
  expect(await of(1)).toEqual(['ok', 'warn']);
  expect(await of(3)).toEqual(['warn', 'warn']);
});
