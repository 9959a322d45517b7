import { fold, isRefusal, type Instant } from '../../kernel/index.js';
import {
  confirmPreferences,
  expireConfirmations,
  mailAllowedAt,
  requestConfirmation,
  type RequestConfirmation,
} from '../decide.js';
import { unsubscribe } from './decide-unsubscribe.js';
import type { ConfirmationText } from '../events.js';
import { linkStanding } from './link-standing.js';
import { preferenceFold, shownState, type FoldedByPreferences, type PreferenceState } from '../state.js';

const NEWS = 'channels.email.topics.news';
const HOUR_MS = 3_600_000;
const at = (hours: number): Instant => new Date(Date.UTC(2026, 10, 21, 12) + hours * HOUR_MS).toISOString();
const TEXT: ConfirmationText = {
  language: 'en',
  dir: 'ltr',
  title: 'Please confirm',
  paragraphs: ['…'],
  button: 'Confirm',
  footer: '',
};
const SHOWN = { template: { version: 1, locale: 'en', contentHash: 'sha256:0' }, provenance: { keyId: 'link' } };

const ask = (n: number, more: Partial<RequestConfirmation> = {}): RequestConfirmation => ({
  requestId: `rec_${n}`,
  tokenHash: `hash ${n}`,
  fields: [{ field: NEWS, channel: 'email', topic: 'news' }],
  validForMs: 48 * HOUR_MS,
  redirectUrl: 'https://shop.example/',
  text: TEXT,
  ...SHOWN,
  ...more,
});
const mailed = (n: number): RequestConfirmation =>
  ask(n, { mail: { identifierId: 'idn_1', messageId: `<${n}@x>`, subject: 'Please confirm' } });
const after = (state: PreferenceState, decided: { refused: boolean; events?: unknown[] }): PreferenceState => {
  if (isRefusal(decided)) throw new Error(decided.message);
  return fold(preferenceFold, decided.events as FoldedByPreferences[], state);
};
const nothing = preferenceFold.initial();
/** Made by the test that asks about it. */
const askedOnce = (): PreferenceState => after(nothing, requestConfirmation(ask(1), nothing, at(0)));
const click = (n: number, state: PreferenceState, when: Instant) =>
  confirmPreferences(
    { recordId: 'rec_9', requestId: `rec_${n}`, tokenHash: `hash ${n}`, via: 'PAGE', provenance: SHOWN.provenance },
    state,
    when,
  );
const codeOf = (decided: unknown): string | null => (isRefusal(decided) ? decided.code : null);

describe('a link that confirms', () => {
  it('is open until the very end of its time, and expired from then on', () => {
    expect(linkStanding('rec_1', 'hash 1', askedOnce(), at(47.999))).toBe('OPEN');
    expect(codeOf(linkStanding('rec_1', 'hash 1', askedOnce(), at(48)))).toBe('token_expired');
    expect(codeOf(click(1, askedOnce(), at(48)))).toBe('token_expired');
  });

  it('stays expired, and is told from one that never was, once the log says so', () => {
    const over = after(askedOnce(), expireConfirmations(askedOnce(), at(48)));
    expect(codeOf(linkStanding('rec_1', 'hash 1', over, at(49)))).toBe('token_expired');
    expect(shownState(over.topics[NEWS], at(49))).toBe('EXPIRED');
    expect(expireConfirmations(over, at(50))).toMatchObject({ events: [] });
    expect(codeOf(linkStanding('rec_2', 'hash 1', over, at(49)))).toBe('token_invalid');
    expect(codeOf(linkStanding('rec_1', 'hash 2', over, at(49)))).toBe('token_invalid');
    expect(codeOf(linkStanding('constructor', 'hash 1', over, at(49)))).toBe('token_invalid');
  });

  it('says the same again for a day after the click', () => {
    const done = after(askedOnce(), click(1, askedOnce(), at(1)));
    expect(linkStanding('rec_1', 'hash 1', done, at(24.999))).toBe('CONFIRMED');
    expect(click(1, done, at(2))).toMatchObject({ events: [] });
    expect(codeOf(linkStanding('rec_1', 'hash 1', done, at(25)))).toBe('token_expired');
  });

  it('is not valid any more once a newer one asks about the same', () => {
    const again = after(askedOnce(), requestConfirmation(ask(2), askedOnce(), at(1)));
    expect(codeOf(linkStanding('rec_1', 'hash 1', again, at(1)))).toBe('token_invalid');
    expect(linkStanding('rec_2', 'hash 2', again, at(1))).toBe('OPEN');
  });

  it('proves the address that it was mailed to, once', () => {
    const known = after(nothing, {
      refused: false,
      events: [
        {
          type: 'IdentifierAdded',
          data: {
            identifierId: 'idn_1',
            kind: 'email',
            value: 'x',
            addedAt: at(0),
            verifiedAt: null,
            verificationMethod: null,
            primary: true,
            source: 'API',
          },
        },
      ],
    });
    const asked = after(known, requestConfirmation(mailed(1), known, at(0)));
    const clicked = click(1, asked, at(1));
    expect(clicked).toMatchObject({
      events: [
        { type: 'PreferenceConfirmed' },
        { type: 'IdentifierVerified', data: { identifierId: 'idn_1', method: 'DOUBLE_OPT_IN', verifiedAt: at(1) } },
      ],
    });
    const verified = after(asked, clicked);
    expect(verified.verifiedKinds).toEqual(['email']);
    const second = after(verified, requestConfirmation(mailed(2), verified, at(2)));
    expect(click(2, second, at(3))).toMatchObject({ events: [{ type: 'PreferenceConfirmed' }] });
  });
});

describe('what the log says of a link', () => {
  it('is what was asked, of whom, and until when', () => {
    const decided = requestConfirmation(mailed(1), nothing, at(0));
    expect(decided).toEqual({
      refused: false,
      events: [
        {
          type: 'PreferenceConfirmationRequested',
          data: {
            requestId: 'rec_1',
            tokenHash: 'hash 1',
            fields: [{ field: NEWS, channel: 'email', topic: 'news', previousState: 'UNSET' }],
            ended: [],
            requestedAt: at(0),
            expiresAt: at(48),
            redirectUrl: 'https://shop.example/',
            text: TEXT,
            mail: { identifierId: 'idn_1', messageId: '<1@x>', subject: 'Please confirm' },
            ...SHOWN,
          },
        },
      ],
    });
    expect(requestConfirmation(ask(2), askedOnce(), at(1))).toMatchObject({
      events: [{ data: { ended: ['rec_1'], fields: [{ previousState: 'PENDING' }] } }],
    });
    expect(
      'mail' in (requestConfirmation(ask(1), nothing, at(0)) as { events: { data: object }[] }).events[0]!.data,
    ).toBe(false);
  });

  it('is who confirmed what, and how', () =>
    expect(click(1, askedOnce(), at(1))).toEqual({
      refused: false,
      events: [
        {
          type: 'PreferenceConfirmed',
          data: {
            recordId: 'rec_9',
            requestId: 'rec_1',
            fields: [{ field: NEWS, channel: 'email', topic: 'news', previousState: 'PENDING' }],
            confirmedAt: at(1),
            via: 'PAGE',
            provenance: SHOWN.provenance,
          },
        },
      ],
    }));

  it('is of each that ran out what it leaves behind', () => {
    const offers = { field: 'channels.email.topics.offers', channel: 'email', topic: 'offers' };
    const two = after(
      askedOnce(),
      requestConfirmation(ask(2, { fields: [offers], validForMs: 49 * HOUR_MS }), askedOnce(), at(0)),
    );
    expect(expireConfirmations(two, at(48))).toEqual({
      refused: false,
      events: [
        {
          type: 'PreferenceConfirmationExpired',
          data: {
            requestId: 'rec_1',
            fields: [{ field: NEWS, channel: 'email', topic: 'news', state: 'EXPIRED' }],
            expiredAt: at(48),
          },
        },
      ],
    });
    expect(expireConfirmations(two, at(47.999))).toMatchObject({ events: [] });
    expect(expireConfirmations(two, at(49))).toMatchObject({
      events: [
        { data: { requestId: 'rec_1', expiredAt: at(48), fields: [{ state: 'EXPIRED' }] } },
        { data: { requestId: 'rec_2', expiredAt: at(49), fields: [{ ...offers, state: 'EXPIRED' }] } },
      ],
    });
    const done = after(askedOnce(), click(1, askedOnce(), at(1)));
    expect(expireConfirmations(done, at(49))).toMatchObject({ events: [] });
  });
});

describe('mails to one address', () => {
  const after3 = () =>
    [1, 2, 3].reduce((state, n) => after(state, requestConfirmation(mailed(n), state, at(n / 10))), nothing);

  it('are three an hour at most', () => {
    expect(mailAllowedAt(after3(), 'idn_1', at(0.5))).toBe(at(1.1));
    expect(codeOf(requestConfirmation(mailed(4), after3(), at(0.5)))).toBe('rate_limited');
    expect(mailAllowedAt(after3(), 'idn_1', at(1.1))).toBeNull();
    expect(mailAllowedAt(after3(), 'idn_2', at(0.5))).toBeNull();
  });

  it('are ten a day at most', () => {
    const ten = [4, 5, 6, 7, 8, 9, 10].reduce(
      (state, n) => after(state, requestConfirmation(mailed(n), state, at(n))),
      after3(),
    );
    expect(mailAllowedAt(ten, 'idn_1', at(12))).toBe(at(24.1));
    expect(codeOf(requestConfirmation(mailed(11), ten, at(12)))).toBe('rate_limited');
  });

  it('go again once both limits allow it', () => {
    const sentAt = (...hours: number[]): PreferenceState =>
      hours.reduce((state, hour, n) => after(state, requestConfirmation(mailed(n), state, at(hour))), nothing);
    const beforeNoon = sentAt(0, 1, 2, 3, 4, 5, 6, 11.5, 11.6, 11.7);
    expect(mailAllowedAt(beforeNoon, 'idn_1', at(12))).toBe(at(24));
    const lateAtNight = sentAt(0, 1, 2, 3, 4, 5, 6, 23.5, 23.6, 23.7);
    expect(mailAllowedAt(lateAtNight, 'idn_1', at(23.9))).toBe(at(24.5));
  });
});

describe('a link that unsubscribes', () => {
  const leave = (state: PreferenceState, topics: string[] | null) =>
    unsubscribe(
      { recordId: 'rec_8', channel: 'email', topics, offered: ['news', 'offers'], via: 'PAGE', ...SHOWN },
      state,
      at(5),
    );

  it('refuses its topics, ends what is open about them, and has nothing to say twice', () => {
    const decided = leave(askedOnce(), ['news']);
    expect(decided).toMatchObject({
      events: [
        {
          type: 'PreferenceSet',
          data: { ended: ['rec_1'], collection: { method: 'CONFIRMATION_LINK', surface: 'FORM' } },
        },
      ],
    });
    const left = after(askedOnce(), decided);
    expect(shownState(left.topics[NEWS], at(6))).toBe('DENIED');
    expect(leave(left, ['news'])).toMatchObject({ events: [] });
    expect(codeOf(click(1, left, at(6)))).toBe('token_invalid');
  });

  it('says by which way it was used, and asks nothing of how its topics are declared', () => {
    const left = (via: 'PAGE' | 'API') =>
      unsubscribe(
        { recordId: 'rec_8', channel: 'email', topics: ['news'], offered: [], via, ...SHOWN },
        askedOnce(),
        at(5),
      ) as { events: unknown[] };
    expect(left('API').events).toEqual([
      {
        type: 'PreferenceSet',
        data: {
          recordId: 'rec_8',
          changes: [
            {
              kind: 'topic',
              field: NEWS,
              channel: 'email',
              topic: 'news',
              previousState: 'PENDING',
              state: 'DENIED',
              wanted: false,
              appliedToState: true,
            },
          ],
          ended: ['rec_1'],
          source: 'API',
          givenAt: at(5),
          recordedAt: at(5),
          collection: { method: 'CONFIRMATION_LINK', surface: 'API' },
          actor: { type: 'SUBJECT' },
          ...SHOWN,
        },
      },
    ]);
  });

  it('has nothing to say where the channel has no topics', () =>
    expect(
      unsubscribe(
        { recordId: 'rec_8', channel: 'sms', topics: null, offered: [], via: 'API', ...SHOWN },
        askedOnce(),
        at(5),
      ),
    ).toMatchObject({ events: [] }));

  it('without topics means all that the channel has, and had', () => {
    const dropped = after(
      nothing,
      requestConfirmation(
        ask(1, {
          fields: [
            { field: 'channels.email.topics.old', channel: 'email', topic: 'old' },
            { field: 'channels.push.topics.news', channel: 'push', topic: 'news' },
          ],
        }),
        nothing,
        at(0),
      ),
    );
    const left = after(dropped, leave(dropped, null));
    expect(
      Object.entries(left.topics)
        .filter(([, { state }]) => state === 'DENIED')
        .map(([path]) => path)
        .sort(),
    ).toEqual(['channels.email.topics.news', 'channels.email.topics.offers', 'channels.email.topics.old']);
  });
});
