import { everyCell } from '../support/double-opt-in.js';
import { startWorld, type Answer, type World } from '../support/world.js';
import pg from 'pg';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const THANKS = 'https://demo.example/thanks';

let world: World;
let database: pg.Client;
let people = 0;
beforeAll(async () => {
  world = await startWorld();
  database = new pg.Client({ connectionString: world.databaseUrl! });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await world?.stop();
});

type Body = Record<string, unknown>;
const somebody = (): string => `email:undoing${++people}@undo.example`;
const post = (path: string, body: Body, key: string | null = 'sk'): Promise<Answer> =>
  world.request('POST', `/v1/preferences/${path}`, { key, body });
/** What the button of a page sends. */
const pressed = (path: string, token: string): Promise<Answer> =>
  world.request('POST', `/v1/preferences/${path}`, {
    key: null,
    raw: new URLSearchParams({ token }).toString(),
    headers: FORM,
  });
const of = (subject: string, what: string): Promise<Answer> =>
  world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/${what}`);
const news = async (subject: string): Promise<Body> =>
  (await of(subject, 'preferences?fresh=true')).body.channels.email.topics.news;
const history = async (subject: string): Promise<Body[]> => (await of(subject, 'preferences/history')).body.data;
const undo = (token: string): Promise<Answer> => post('undo', { token }, null);
const tokenOf = ({ text }: Answer): string | null => /value="(rft_[A-Za-z0-9_-]+)"/.exec(text)?.[1] ?? null;

async function link(subject: string): Promise<string> {
  const asking = { subject, channel: 'email', values: [{ field: 'news', value: true }], redirectUrl: THANKS };
  return (await post('confirmation-token', asking)).body.token as string;
}
async function confirmed(
  subject = somebody(),
): Promise<{ subject: string; link: string; answer: Answer; token: string }> {
  const token = await link(subject);
  const answer = await post('confirm', { token }, null);
  return { subject, link: token, answer, token: answer.body.undo.token as string };
}
async function unsubscribed(
  subject = somebody(),
): Promise<{ subject: string; link: string; answer: Answer; token: string }> {
  await confirmed(subject);
  const { body } = await post('unsubscribe-link', { subject, channel: 'email', topics: ['news'] });
  const answer = await post('unsubscribe', { token: body.token }, null);
  return { subject, link: body.token as string, answer, token: answer.body.undo.token as string };
}

describe('a confirmation', () => {
  it('is taken back by a refusal of its own, which history shows beside it', async () => {
    const { subject, answer, token } = await confirmed();
    expect(Date.parse(answer.body.undo.expiresAt) - Date.parse(answer.body.confirmedAt)).toBe(24 * 3_600_000);
    const undone = await undo(token);
    expect([undone.status, undone.headers['cache-control'], undone.headers['x-log-position']]).toEqual([
      200,
      'no-store',
      expect.stringMatching(/^\d+$/),
    ]);
    expect(undone.body).toEqual({
      status: 'UNDONE',
      undid: 'CONFIRMATION',
      undoneAt: expect.any(String),
      values: [{ field: 'channels.email.topics.news', channel: 'email', state: 'DENIED' }],
    });
    expect(await news(subject)).toMatchObject({ state: 'DENIED', confirmedAt: null, sendable: false });
    const [refusal, confirmation, request] = await history(subject);
    expect(refusal).toMatchObject({
      object: 'preference_record',
      undoes: confirmation!['id'],
      receiptId: expect.stringMatching(/^rct_/),
      recordedAt: undone.body.undoneAt,
      collection: { method: 'CONFIRMATION_LINK', surface: 'API' },
      actor: { type: 'SUBJECT' },
      provenance: { keyId: 'link' },
      changes: [{ field: 'channels.email.topics.news', previousState: 'GRANTED', state: 'DENIED', value: false }],
    });
    expect([confirmation!['object'], request!['object']]).toEqual([
      'preference_confirmation',
      'preference_confirmation_request',
    ]);
    // The address stays proven: the click came from there.
    expect((await of(subject, 'preferences')).status).toBe(200);
  });

  it('is taken back once, whoever presses how often, at once or later, and the answer is the same to the byte', async () => {
    const { subject, token } = await confirmed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => undo(token)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    expect((await undo(token)).text).toBe(answers[0]!.text);
    expect((await history(subject)).filter(({ undoes }) => undoes !== undefined)).toHaveLength(1);
  });

  it('that was taken back says so on its page, and is not confirmed again by its link', async () => {
    const { subject, link: used, answer } = await confirmed();
    const before = await world.request('GET', `/v1/preferences/confirm?token=${used}`, { key: null });
    expect(before.text).toContain('<h1>Already confirmed</h1>');
    const undone = await pressed('undo', tokenOf(before)!);
    expect([undone.status, undone.text]).toEqual([200, expect.stringContaining('<h1>Undone</h1>')]);
    for (const page of [
      await world.request('GET', `/v1/preferences/confirm?token=${used}`, { key: null }),
      await pressed('confirm', used),
    ]) {
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('<h1>Undone</h1>')]);
      expect(tokenOf(page)).toBeNull();
    }
    // A program that repeats its call gets its first answer again; the state is what counts.
    expect((await post('confirm', { token: used }, null)).text).toBe(answer.text);
    expect(await news(subject)).toMatchObject({ state: 'DENIED' });
    expect((await history(subject))[0]).toMatchObject({ collection: { surface: 'FORM' } });
  });

  it('that unsubscribing took back says on its page what stands now, and how to confirm anew', async () => {
    const { subject, link: used } = await confirmed();
    const { token } = (
      await world.request('POST', '/v1/preferences/unsubscribe-link', {
        body: { subject, channel: 'email', topics: ['news'] },
      })
    ).body;
    await world.request('POST', `/v1/preferences/unsubscribe?token=${token}`, { key: null });
    for (const page of [
      await world.request('GET', `/v1/preferences/confirm?token=${used}`, { key: null }),
      await pressed('confirm', used),
    ]) {
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('<h1>No longer confirmed</h1>')]);
      expect(page.text).toMatch(/You do not get: .+ask for a new link where you signed up/s);
      expect(page.text).not.toContain('nothing left to do');
    }
    expect(await news(subject)).toMatchObject({ state: 'DENIED' });
  });

  it('that the global opt-out overrules does not say that nothing is left to do', async () => {
    const { subject, link: used } = await confirmed();
    await world.request('POST', '/v1/preferences', { body: { subject, globalOptOut: true } });
    const page = await world.request('GET', `/v1/preferences/confirm?token=${used}`, { key: null });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('You do not get: ')]);
  });

  it('that was refused before anybody clicked says so behind its link', async () => {
    const { subject } = await confirmed();
    await world.request('POST', '/v1/preferences', {
      body: { subject, channel: 'email', values: [{ field: 'news', value: false }] },
    });
    const unused = await link(subject);
    await world.request('POST', '/v1/preferences', {
      body: { subject, channel: 'email', values: [{ field: 'news', value: false }] },
    });
    const page = await world.request('GET', `/v1/preferences/confirm?token=${unused}`, { key: null });
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('You said no since')]);
  });

  it('can be asked for anew afterwards, by a new link only', async () => {
    const { subject, token } = await confirmed();
    await undo(token);
    await confirmed(subject);
    expect(await news(subject)).toMatchObject({ state: 'GRANTED' });
    // The capability of the first is used up: it answers what it did, and does nothing more.
    expect((await undo(token)).body.status).toBe('UNDONE');
    expect(await news(subject)).toMatchObject({ state: 'GRANTED' });
  });

  it('that a newer choice replaced cannot be taken back: the newer one stands', async () => {
    const { subject, token } = await confirmed();
    for (const value of [false, true])
      await post('', { subject, channel: 'email', values: [{ field: 'news', value }], source: 'IMPORT' }, 'sk');
    await world.request('POST', '/v1/preferences', {
      body: { subject, channel: 'email', values: [{ field: 'news', value: false }] },
    });
    const length = (await history(subject)).length;
    const refused = await undo(token);
    expect([refused.status, refused.body.code]).toEqual([409, 'state_conflict']);
    const page = await pressed('undo', token);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('<h1>You have chosen anew since</h1>')]);
    expect(await history(subject)).toHaveLength(length);
  });

  it('leads on to the site, or to a page that offers the undo where the site wants that', async () => {
    const direct = await pressed('confirm', await link(somebody()));
    expect([direct.status, direct.headers['location']]).toEqual([303, `${THANKS}?status=confirmed`]);
    const own = { key: 'operator', body: { afterConfirming: 'PAGE' } } as const;
    await world.request('POST', `/admin/v1/sites/${world.demo.site}/brand`, own);
    try {
      const subject = somebody();
      const page = await pressed('confirm', await link(subject));
      expect([page.status, page.headers['location']]).toEqual([200, undefined]);
      expect(page.text).toContain(`<a class="onward" href="${THANKS}?status=confirmed" rel="noreferrer">Continue</a>`);
      expect((await pressed('undo', tokenOf(page)!)).text).toContain('<h1>Undone</h1>');
      expect(await news(subject)).toMatchObject({ state: 'DENIED' });
    } finally {
      await world.request('POST', `/admin/v1/sites/${world.demo.site}/brand`, {
        key: 'operator',
        body: { afterConfirming: null },
      });
    }
  });
});

describe('unsubscribing', () => {
  it('is taken back by giving back what was confirmed before, with the time of that confirmation', async () => {
    const subject = somebody();
    const { answer } = await confirmed(subject);
    const { body } = await post('unsubscribe-link', { subject, channel: 'email' });
    const page = await pressed('unsubscribe', body.token as string);
    expect(await news(subject)).toMatchObject({ state: 'DENIED' });
    const undone = await pressed('undo', tokenOf(page)!);
    expect([undone.status, undone.text]).toEqual([200, expect.stringContaining('<h1>You are subscribed again</h1>')]);
    expect(await news(subject)).toMatchObject({
      state: 'GRANTED',
      confirmedAt: answer.body.confirmedAt,
      sendable: true,
    });
    const [given, taken] = await history(subject);
    expect(given).toMatchObject({
      undoes: taken!['id'],
      changes: [{ previousState: 'DENIED', state: 'GRANTED', value: true }],
    });
    // And can be done again, and undone again.
    expect((await post('unsubscribe', { token: body.token }, null)).body.undo.token).not.toBe(tokenOf(page));
    expect(await news(subject)).toMatchObject({ state: 'DENIED' });
  });

  it('offers it again on its page, as long as nothing was chosen since', async () => {
    const { subject, link: used, token } = await unsubscribed();
    const page = await world.request('GET', `/v1/preferences/unsubscribe?token=${used}`, { key: null });
    expect(tokenOf(page)).toBe(token);
    await world.request('POST', '/v1/preferences', {
      body: { subject, channel: 'email', values: [{ field: 'news', value: false }] },
    });
    expect(tokenOf(await world.request('GET', `/v1/preferences/unsubscribe?token=${used}`, { key: null }))).toBeNull();
    expect((await undo(token)).body.code).toBe('state_conflict');
  });

  it('gives nothing to who had nothing', async () => {
    const subject = somebody();
    await link(subject);
    const { body } = await post('unsubscribe-link', { subject, channel: 'email', topics: ['news'] });
    expect((await post('unsubscribe', { token: body.token }, null)).body.undo).toBeNull();
    expect(tokenOf(await pressed('unsubscribe', body.token as string))).toBeNull();
  });
});

describe('the capability to undo', () => {
  it('does nothing by being opened, and is refused where it is none', async () => {
    const { subject, token } = await confirmed();
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const { status, headers } = await world.request(method, `/v1/preferences/undo?token=${token}`, { key: null });
      expect([method, status, method === 'GET' ? headers['allow'] : '']).toEqual([
        method,
        method === 'OPTIONS' ? expect.any(Number) : 405,
        method === 'GET' ? expect.stringContaining('POST') : '',
      ]);
    }
    expect((await world.request('POST', `/v1/preferences/undo?token=${token}`, { key: null, body: {} })).status).toBe(
      422,
    );
    expect(await news(subject)).toMatchObject({ state: 'GRANTED' });
    for (const none of ['rft_x', token.replace('rft_', 'uft_'), `${token.slice(0, -2)}AA`, 'cft_1'])
      expect((await undo(none)).body.code).toBe('token_invalid');
    const page = await pressed('undo', 'rft_none');
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('stands in no store and no log', async () => {
    const { subject, token } = await confirmed();
    await undo(token);
    expect(await news(subject)).toMatchObject({ state: 'DENIED' });
    expect(await everyCell(database)).not.toContain(token.slice(4));
    expect(world.output()).not.toMatch(/rft_[A-Za-z0-9_-]{40}/);
  });

  it('follows a merge', async () => {
    const [confirmation, leaving, target] = [await confirmed(), await unsubscribed(), somebody()];
    for (const { subject } of [confirmation, leaving]) {
      const survivor = subject === leaving.subject ? target : somebody();
      await post('', { subject: survivor, channel: 'email', values: [{ field: 'product_updates', value: false }] });
      const merged = await world.request('POST', '/v1/subjects/merge', {
        body: { sources: [subject], target: survivor },
      });
      expect([merged.status, merged.text]).toEqual([200, merged.text]);
    }
    expect((await undo(confirmation.token)).body).toMatchObject({ undid: 'CONFIRMATION' });
    expect((await undo(leaving.token)).body).toMatchObject({ undid: 'UNSUBSCRIPTION' });
    expect([await news(confirmation.subject), await news(target)]).toMatchObject([
      { state: 'DENIED' },
      { state: 'GRANTED' },
    ]);
  });

  it('is worth nothing once the subject is erased, and brings nobody back, also in the very moment', async () => {
    for (let round = 0; round < 20; round++) {
      const { subject, token } = round % 2 ? await confirmed() : await unsubscribed();
      const { id } = (await of(subject, '')).body as { id: string };
      const undoing = async (): Promise<Answer> => {
        for (let turn = 0; turn < round; turn++) await new Promise(setImmediate);
        return undo(token);
      };
      const [erased, undone] = await Promise.all([
        world.request('POST', `/v1/subjects/${id}/erase`, { body: { reason: 'DATA_SUBJECT_REQUEST' } }),
        undoing(),
      ]);
      expect(erased.status).toBe(200);
      expect([200, 404, 409]).toContain(undone.status);
      expect((await undo(token)).body.code).toBe('token_invalid');
      expect((await of(id, '')).body.state).toBe('ERASED');
    }
  });
});
