import { startWorld, type Answer, type World } from '../support/world.js';

/* What operators see of persons: by look-up alone, masked until revealed with a reason, each look counted. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const ADDRESS = 'ada.lovelace@operators.example';
const at = (path: string): string => `/admin/v1/sites/${world.demo.site}/test/${path}`;
const ask = (method: string, path: string, body?: object): Promise<Answer> =>
  world.request(method, at(path), { key: 'operator', ...(body && { body }) });
const lookUp = (value: string): Promise<Answer> => ask('POST', 'subjects/lookup', { kind: 'email', value });

async function known(): Promise<string> {
  const identifiers = [
    { kind: 'email', value: ADDRESS },
    { kind: 'phone', value: '+4915112345634' },
  ];
  return (await world.request('POST', '/v1/subjects', { body: { identifiers } })).body.id as string;
}

test('a look-up finds whom an identifier names, however it is spelled, and makes nobody', async () => {
  const id = await known();
  expect((await lookUp(' Ada.Lovelace@Operators.example')).body).toEqual({ subject: { id } });
  for (let i = 0; i < 2; i++)
    expect(await lookUp('nobody@operators.example')).toMatchObject({
      status: 404,
      body: { code: 'subject_not_found' },
    });
});

test('an operator sees identifiers masked, and in clear for a reason; a secret key sees them in clear', async () => {
  const id = await known();
  const values = ({ body }: Answer): string[] => body.identifiers.map(({ value }: { value: string }) => value);
  const CLEAR = [ADDRESS, '+4915112345634'];
  expect(values(await world.request('GET', `/v1/subjects/${id}`))).toEqual(CLEAR);
  expect(values(await ask('GET', `subjects/${id}`))).toEqual(['a…@o….example', '+49…34']);
  expect(await ask('POST', `subjects/${id}/reveal`, {})).toMatchObject({ status: 422 });
  expect(values(await ask('POST', `subjects/${id}/reveal`, { reason: 'a letter' }))).toEqual(CLEAR);
});

test('a data request shows its requester masked, and what is to be put right where it names a person', async () => {
  const { body } = await ask('POST', 'data-requests', {
    subject: `email:${ADDRESS}`,
    type: 'RECTIFICATION',
    requester: { type: 'SELF', name: 'Ada', email: ADDRESS },
    corrections: [
      { kind: 'email', value: 'ada@new.example', replaces: ADDRESS },
      { kind: 'country', value: 'AT' },
    ],
  });
  expect(body.requester.email).toBe('a…@o….example');
  expect(body.corrections).toEqual([
    { kind: 'email', value: 'a…@n….example', replaces: 'a…@o….example' },
    { kind: 'country', value: 'AT' },
  ]);
});

test('reads are listed by reader, in pages, each once', async () => {
  const id = await known();
  for (const path of [`subjects/${id}`, `subjects/${id}/consent`, `subjects/${id}/preferences`])
    expect((await ask('GET', path)).status).toBe(200);
  const listed: string[] = [];
  for (let next: string | null = 'reads?limit=2'; next !== null;) {
    const { body, status } = await ask('GET', next);
    expect(status).toBe(200);
    for (const { subject, reader, operation } of body.data) {
      expect(reader).toBe('operator:opt_first');
      listed.push(`${subject.id} ${operation}`);
    }
    next = body.hasMore ? `reads?limit=2&cursor=${body.nextCursor}` : null;
  }
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed).toEqual(
    expect.arrayContaining([`${id} getSiteSubject`, `${id} getSiteConsentState`, `${id} getSitePreferences`]),
  );
  const one = await ask('GET', 'reads?reader=operator:opt_first');
  expect(one.body.data.length).toBe(listed.length);
  expect((await ask('GET', 'reads?reader=key_nothing')).body.data).toEqual([]);
});
