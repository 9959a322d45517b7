import { describe, expect, it } from '@jest/globals';
import { dated, outcomesOf, refuses, saidAgain, saidIn, type Said } from './decisions.js';

const decision = (decided: string, more: Said = {}): Said => ({ decision: decided, ...more });

describe('what a person says', () => {
  it.each<[string, Said, boolean]>([
    ['DENIED', decision('DENIED'), true],
    ['WITHDRAWN', decision('WITHDRAWN'), true],
    ['OBJECTED', decision('OBJECTED'), true],
    ['GRANTED', decision('GRANTED'), false],
    ['ACKNOWLEDGED', decision('ACKNOWLEDGED'), false],
    ['the global opt-out', { globalOptOut: true }, true],
    ['its end', { globalOptOut: false }, false],
    ['a topic that is not wanted, among others', { values: [{ value: true }, { value: false }] }, true],
    ['topics that are wanted', { values: [{ value: true }, { value: 'de' }, { value: null }, {}] }, false],
    ['nothing', {}, false],
  ])('%s', (_, said, isRefusing) => expect(refuses(said)).toBe(isRefusing));
});

describe('how long ago it was said', () => {
  const ages = (body: object, ms: number): unknown[] =>
    saidIn(dated(JSON.stringify(body), () => ms)).map(({ givenSecondsAgo }) => givenSecondsAgo);

  it('is sent in whole seconds, and not at all where it was now', () => {
    expect([999, 1000, 90_999, 0, -5000].map((ms) => ages(decision('DENIED'), ms)[0])).toEqual([
      undefined,
      1,
      90,
      undefined,
      undefined,
    ]);
  });
  it('is added to what the page says of it, and left to a page that names the moment', () =>
    expect(
      ages({ records: [{ givenSecondsAgo: 5 }, { givenAt: '2026-11-21T12:00:00.000Z' }, decision('GRANTED')] }, 2000),
    ).toEqual([7, undefined, 2]));
  it('is asked for each item of a batch', () => {
    const body = JSON.stringify({ records: [decision('GRANTED'), decision('DENIED')], mode: 'ATOMIC' });
    const whole = JSON.parse(dated(body, (said) => (refuses(said) ? 3000 : 9000))) as object;
    expect(whole).toEqual({
      records: [decision('GRANTED', { givenSecondsAgo: 9 }), decision('DENIED', { givenSecondsAgo: 3 })],
      mode: 'ATOMIC',
    });
  });
});

describe('what became of it', () => {
  const record = { givenAt: '2026-11-21T12:00:00.000Z', recordedAt: '2026-11-21T12:00:01.000Z' };
  it('is read from the answer to one, and to a batch item by item', () => {
    expect(outcomesOf(record)).toEqual([
      { refused: null, givenAt: Date.parse(record.givenAt), recordedAt: Date.parse(record.recordedAt) },
    ]);
    const error = { code: 'validation_failed', message: 'No.', hint: '', issues: [] };
    const results = [{ status: 'RECORDED', record }, { status: 'REJECTED', error }, { status: 'NOT_APPLIED' }];
    expect(outcomesOf({ results }).map(({ refused }) => refused?.code)).toEqual([
      undefined,
      'validation_failed',
      'validation_failed',
    ]);
  });
});

describe('what is said once more', () => {
  const again = (body: object, places = [0]): unknown => JSON.parse(saidAgain(JSON.stringify(body), places));
  const collection = { method: 'TOGGLE', surface: 'BANNER', presentationToken: 'bpt_x' };

  it('is a refusal of now, without what it could be refused for', () =>
    expect(
      again({
        subject: 'visitor_id:1',
        purpose: 'analytics',
        ...decision('WITHDRAWN', {
          givenAt: '2025-01-01T00:00:00.000Z',
          givenSecondsAgo: 9,
          expiresAt: '2025',
          purposeVersion: 1,
        }),
        collection,
      }),
    ).toEqual({
      subject: 'visitor_id:1',
      purpose: 'analytics',
      decision: 'WITHDRAWN',
      collection: { method: 'TOGGLE', surface: 'BANNER' },
    }));
  it('is the same grant, with its proof', () =>
    expect(
      again({ purpose: 'analytics', ...decision('GRANTED', { purposeVersion: 2, givenSecondsAgo: 9 }), collection }),
    ).toEqual({ purpose: 'analytics', decision: 'GRANTED', purposeVersion: 2, collection }));
  it('is of preferences what says no', () =>
    expect(
      again({
        subject: 'email:x',
        channel: 'email',
        globalOptOut: false,
        values: [
          { field: 'a', value: true },
          { field: 'b', value: false },
        ],
      }),
    ).toEqual({ subject: 'email:x', channel: 'email', values: [{ field: 'b', value: false }] }));
  it('is a batch of those that are named, without their keys, mode and dry run', () =>
    expect(
      again(
        {
          mode: 'ATOMIC',
          records: [decision('GRANTED'), decision('DENIED', { idempotencyKey: 'x' }), decision('OBJECTED')],
        },
        [1, 2],
      ),
    ).toEqual({ records: [decision('DENIED'), decision('OBJECTED')] }));
});
