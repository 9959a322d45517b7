import { startWorld, type Answer, type World } from '../support/world.js';

/** Each with a subject of its own; the moment of the erasure falls somewhere else in each of the first twenty. */
const ROUNDS = { least: 20, most: 60 };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const ask = (address: string, more: object): Promise<Answer> =>
  world.request('POST', '/v1/preferences/confirmation-token', {
    body: {
      subject: `email:${address}`,
      channel: 'email',
      values: [{ field: 'news', value: true }],
      redirectUrl: 'https://demo.example/thanks',
      ...more,
    },
  });
const erase = (subject: string): Promise<Answer> =>
  world.request('POST', `/v1/subjects/${encodeURIComponent(subject)}/erase`, {
    body: { reason: 'DATA_SUBJECT_REQUEST' },
  });

test.each([
  ['that is mailed', (address: string) => ({ to: address })],
  ['that the caller mails', () => ({})],
])('a confirmation %s and an erasure at once: done before it, or gone with the subject', async (_, more) => {
  const outcomes = new Set<string>();
  const isRunFromBothSides = (): boolean => outcomes.size === 2;
  for (let round = 0; round < (isRunFromBothSides() ? ROUNDS.least : ROUNDS.most); round++) {
    const address = `racing-${round}-${more.length}@${world.demo.site}.example`;
    const { body: created } = await world.request('POST', '/v1/subjects', {
      body: { identifiers: [{ kind: 'email', value: address }] },
    });
    const asking = Array.from({ length: 3 }, async (_, i) => {
      for (let turn = 0; turn < (round + i * 7) % 20; turn++) await new Promise(setImmediate);
      return ask(address, more(address));
    });
    const [erased, ...answers] = await Promise.all([erase(created.id), ...asking]);
    expect(erased!.status).toBe(200);
    for (const { status, body, text } of answers) {
      // Whoever asks after the erasure asks for somebody new, whose address it is not.
      const isNew = status === 422 && body.issues[0].path === 'to';
      expect([[201, 410, ...(isNew ? [422] : [])], text]).toEqual([expect.arrayContaining([status]), text]);
      if (status === 410) expect(body.code).toBe('subject_erased');
      if (!isNew) outcomes.add(String(status));
      if (status !== 201) continue;
      const page = await world.request('GET', `/v1/preferences/confirm?token=${body.token as string}`, { key: null });
      expect([200, 404, 410]).toContain(page.status);
    }
    expect((await world.request('GET', `/v1/subjects/${created.id}`)).body.state).toBe('ERASED');
  }
  // The race was run, and not only from one side.
  expect([...outcomes].sort()).toEqual(['201', '410']);
});
