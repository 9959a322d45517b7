import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal, type Refusal } from '../../kernel/index.js';
import { nearest } from '../../kernel/index.js';
import {
  checkFrequency,
  checkValue,
  resolveField,
  templateInForce,
  topicPath,
  type PublishedTemplate,
  type ResolvedField,
} from './template.js';
import { fieldsOf, type TemplateField } from './template-definition.js';

const text = (en: string) => ({ en });
const field = (key: string, more: Partial<TemplateField> = {}): TemplateField => ({
  key,
  kind: 'TOGGLE',
  label: text(key),
  help: null,
  channel: null,
  topic: null,
  purposeKey: null,
  options: [],
  default: null,
  required: false,
  doubleOptIn: 'NONE',
  validation: {},
  ...more,
});
const options = (...values: string[]) => values.map((value) => ({ value, label: text(value) }));
const FIELDS = [
  field('email_news', { channel: 'email', topic: 'news', options: options('DAILY', 'WEEKLY') }),
  field('email_offers', { channel: 'email', topic: 'offers' }),
  field('push_news', { channel: 'push', topic: 'news' }),
  field('app_tips', { channel: 'custom.kiosk', topic: 'tips' }),
  field('language', { kind: 'SELECT', options: options('en', 'de', 'pt-BR'), required: true }),
  field('interests', {
    kind: 'MULTI_SELECT',
    options: options('books', 'games', 'music'),
    validation: { min: 1, max: 2 },
  }),
  field('age', { kind: 'NUMBER', validation: { min: 16, max: 120, whole: true } }),
  field('score', { kind: 'NUMBER' }),
  field('children', { kind: 'NUMBER', validation: { min: 0, whole: true } }),
  field('discount', { kind: 'NUMBER', validation: { max: 0 } }),
  field('country', { kind: 'SELECT', options: options(...Array.from({ length: 12 }, (_, i) => `C${i}`)) }),
  field('birthday', { kind: 'DATE' }),
  field('note', { kind: 'TEXT', validation: { maxLength: 5 } }),
  field('zip', { kind: 'TEXT', validation: { pattern: 'POSTAL_CODE' } }),
  field('digest', { kind: 'FREQUENCY', options: options('WEEKLY', 'MONTHLY') }),
  field('dark', {}),
];
const channel = (key: string) => ({ key, label: text(key), verification: 'NONE' as const });
const version = (number: number, effectiveFrom: string): PublishedTemplate => ({
  definition: {
    defaultLocale: 'en',
    channels: ['email', 'push', 'custom.kiosk'].map(channel),
    sections: [{ key: 'all', title: text('All'), fields: FIELDS }],
  },
  version: number,
  change: { from: null, summary: '' },
  definitionHash: '',
  effectiveFrom,
  publishedAt: effectiveFrom,
});
const TEMPLATE = version(1, '2026-11-21T12:00:00.000Z');

const named = (key: string, beside?: string): ResolvedField => {
  const found = resolveField(TEMPLATE, key, beside);
  if (isRefusal(found)) throw new Error(found.message);
  return found;
};
const unknown = (key: string, beside?: string): Refusal => {
  const found = resolveField(TEMPLATE, key, beside, 'values[2].field');
  if (!isRefusal(found)) throw new Error(`${key} was found`);
  expect(found.code).toBe('field_unknown');
  return found;
};

describe('a field', () => {
  it.each<[string, string | undefined, string]>([
    ['email_news', undefined, 'email_news'],
    ['news', 'email', 'email_news'],
    ['news', 'push', 'push_news'],
    ['channels.email.topics.news', undefined, 'email_news'],
    ['channels.email.topics.news', 'email', 'email_news'],
    ['channels.custom.kiosk.topics.tips', undefined, 'app_tips'],
    ['email_offers', 'email', 'email_offers'],
    ['language', undefined, 'language'],
    ['language', 'email', 'language'],
  ])('is found as %s beside %s', (key, beside, found) => expect(named(key, beside).definition.key).toBe(found));

  it('that is a topic says of which channel', () => {
    expect(named('email_news')).toMatchObject({ kind: 'topic', channel: 'email', topic: 'news' });
    expect(named('language')).toMatchObject({ kind: 'field', key: 'language' });
  });

  it.each<[string, string | undefined, string, RegExp]>([
    ['emial_news', undefined, 'values[2].field', /"email_news"/],
    ['EmailNews', undefined, 'values[2].field', /"email_news"/],
    ['Language', undefined, 'values[2].field', /"language"/],
    ['ofers', 'email', 'values[2].field', /"offers"/],
    ['offers', 'push', 'values[2].field', /GET \/v1\/preference-template/],
    ['news', undefined, 'values[2].field', /"email" or "push"/],
    ['channels.email.topics.nwes', undefined, 'values[2].field', /"channels\.email\.topics\.news"/],
    ['channels.email.topics.news', 'push', 'values[2].field', /"channel": "email"/],
    ['push_news', 'email', 'values[2].field', /"channel": "push"/],
    ['news', 'e-mail', 'channel', /"email"/],
    ['language', 'pigeon', 'channel', /GET \/v1\/preference-template/],
    ['constructor', undefined, 'values[2].field', /GET \/v1\/preference-template/],
    ['__proto__', 'email', 'values[2].field', /GET \/v1\/preference-template/],
    ['', undefined, 'values[2].field', /GET \/v1\/preference-template/],
    ['x'.repeat(100_000), undefined, 'values[2].field', /GET \/v1\/preference-template/],
  ])('that is not there is refused with what was meant: %.30s beside %s', (key, beside, path, hint) => {
    const refused = unknown(key, beside);
    expect([refused.issues[0]!.path, refused.hint]).toEqual([path, expect.stringMatching(hint)]);
  });

  it('is unknown where no template is published', () =>
    expect(resolveField(undefined, 'news', 'email')).toMatchObject({ code: 'field_unknown' }));

  it('is found by its key and by its path, whichever it is', () => {
    for (const one of fieldsOf(TEMPLATE.definition)) {
      expect(named(one.key).definition).toBe(one);
      if (one.topic !== null)
        for (const beside of [undefined, one.channel!])
          expect(named(topicPath(one.channel!, one.topic), beside).definition).toBe(one);
    }
  });

  it('never repeats in a refusal what was sent', () =>
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Z]{8,40}$/),
        fc.option(fc.constantFrom('email', 'push'), { nil: undefined }),
        (key, beside) => {
          const refused = resolveField(TEMPLATE, key, beside);
          expect(JSON.stringify(refused)).not.toContain(key);
        },
      ),
    ));
});

describe('a value', () => {
  const OK: [string, unknown][] = [
    ['email_news', true],
    ['email_news', false],
    ['dark', true],
    ['dark', null],
    ['language', 'pt-BR'],
    ['interests', ['music']],
    ['interests', ['music', 'books']],
    ['interests', null],
    ['age', 16],
    ['age', 120],
    ['age', null],
    ['score', -0.5],
    ['score', 1e300],
    ['children', 0],
    ['discount', -1e300],
    ['birthday', '2024-02-29'],
    ['birthday', '1890-01-01'],
    ['birthday', null],
    ['note', 'hello'],
    ['note', '👍👍👍👍👍'],
    ['note', 'a\nb'],
    ['note', null],
    ['zip', 'SW1A 1AA'],
    ['digest', 'MONTHLY'],
    ['digest', null],
  ];
  it.each(OK)('of %s can be %j', (key, value) => expect(checkValue(named(key), value)).toBeNull());

  it.each<[string, unknown, string, RegExp]>([
    ['email_news', null, 'must be true or false', /true or false/],
    ['email_news', 'true', 'must be true or false', /not as text/],
    ['email_news', 1, 'must be true or false', /./],
    ['email_news', { state: 'GRANTED' }, 'must be true or false', /./],
    ['dark', 'no', 'must be true or false', /./],
    ['language', null, 'is required and cannot be cleared', /./],
    ['language', 'pt_br', 'is not one of the options of the field', /^Did you mean "pt-BR"\?$/],
    ['language', 'klingon', 'is not one of the options of the field', /^Send one of: "en", "de", "pt-BR"\.$/],
    ['country', 'Atlantis', 'is not one of the options of the field', /: "C0", .*"C9" and 2 others\.$/],
    ['language', true, 'must be one of the options of the field, as text', /"en"/],
    ['interests', 'music', 'must be a list of options', /\["books"\]/],
    ['interests', [], 'must hold 1 to 2 options', /^Send 1 to 2 of: "books", "games", "music"\.$/],
    ['interests', ['books', 'games', 'music'], 'must hold 1 to 2 options', /./],
    ['interests', ['books', 'books'], 'holds an option twice', /./],
    ['interests', ['musik'], 'holds something that is not one of the options of the field', /"music"/],
    ['interests', [['music']], 'holds something that must be one of the options of the field, as text', /./],
    ['age', '30', 'must be a whole number from 16 up to 120', /not as text/],
    ['age', 15, 'must be a whole number from 16 up to 120', /./],
    ['age', 30.5, 'must be a whole number from 16 up to 120', /./],
    ['age', Number.NaN, 'must be a whole number from 16 up to 120', /./],
    ['age', 121, 'must be a whole number from 16 up to 120', /./],
    ['score', '1', 'must be a number', /^Send a number, not as text\.$/],
    ['score', Number.NaN, 'must be a number', /./],
    ['score', Infinity, 'must be a number', /./],
    ['score', -Infinity, 'must be a number', /./],
    ['children', -1, 'must be a whole number from 0', /./],
    ['discount', 1, 'must be a number up to 0', /./],
    ['birthday', '+010000-01-01', 'must be a date of the calendar', /./],
    ['birthday', '+010000-01', 'must be a date of the calendar', /./],
    ['birthday', '2026-02-29', 'must be a date of the calendar', /YYYY-MM-DD/],
    ['birthday', '0000-01-01', 'must be a date of the calendar', /./],
    ['birthday', '21.11.2026', 'must be a date of the calendar', /./],
    ['birthday', '2026-11-21T00:00:00Z', 'must be a date of the calendar', /./],
    ['birthday', 20261121, 'must be a date of the calendar', /./],
    ['note', '', 'must be 1 to 5 characters long', /null/],
    ['note', 'six...', 'must be 1 to 5 characters long', /./],
    ['note', 'x'.repeat(1_000_000), 'must be 1 to 5 characters long', /./],
    ['note', 'a\u0000b', 'must not hold control characters or halves of a character', /./],
    ['note', 'a\ud800', 'must not hold control characters or halves of a character', /./],
    ['note', 5, 'must be text', /./],
    ['zip', '!', 'must be a postal code', /./],
    ['digest', 'DAILY', 'is not one of the options of the field', /./],
    ['digest', 'weekly', 'is not one of the options of the field', /"WEEKLY"/],
  ])('of %s cannot be %j', (key, value, message, hint) => {
    const refused = checkValue(named(key), value, 'values[0].value')!;
    expect(refused).toMatchObject({
      refused: true,
      code: 'field_type_mismatch',
      issues: [{ path: 'values[0].value', message }],
    });
    expect(refused.hint).toMatch(hint);
  });

  it('that is anything at all is taken or refused, and never repeated', () =>
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS.map(({ key }) => key)), fc.anything(), (key, value) => {
        const refused = checkValue(named(key), value);
        expect(refused === null || refused.code === 'field_type_mismatch').toBe(true);
        if (typeof value === 'string' && value.length > 6)
          expect(JSON.stringify(refused)).not.toContain(JSON.stringify(value));
      }),
      { numRuns: 1000 },
    ));
});

describe('a frequency', () => {
  it.each<[unknown]>([['DAILY'], ['WEEKLY'], [null]])('of a topic that has some can be %j', (value) =>
    expect(checkFrequency(named('email_news'), value)).toBeNull(),
  );

  it.each<[string, unknown, string]>([
    ['email_news', 'MONTHLY', 'is not one of the options of the field'],
    ['email_news', true, 'must be one of the options of the field, as text'],
    ['email_offers', 'DAILY', 'is not taken here'],
    ['email_offers', null, 'is not taken here'],
    ['digest', 'WEEKLY', 'is not taken here'],
  ])('of %s cannot be %j', (key, value, message) =>
    expect(checkFrequency(named(key), value)).toMatchObject({
      code: 'field_type_mismatch',
      issues: [{ path: 'frequency', message }],
    }),
  );

  it('where there is none is refused with where there is one', () =>
    expect(checkFrequency(named('digest'), 'WEEKLY')?.hint).toMatch(/only a topic whose options are frequencies/));
});

describe('the version in force', () => {
  const state = {
    purposes: {},
    documents: {
      template: [
        version(1, '2026-01-01T00:00:00.000Z'),
        version(2, '2026-03-01T00:00:00.000Z'),
        version(3, '2026-02-01T00:00:00.000Z'),
      ],
    },
  };
  it.each<[string, number | undefined]>([
    ['2025-12-31T23:59:59.999Z', undefined],
    ['2026-01-01T00:00:00.000Z', 1],
    ['2026-02-01T00:00:00.000Z', 3],
    ['2026-04-01T00:00:00.000Z', 3],
  ])('at %s is %s: the newest whose time has come', (at, number) =>
    expect(templateInForce(state, at)?.version).toBe(number),
  );
});

describe('the nearest name', () => {
  it.each<[string, string[], string | null]>([
    ['nwes', ['news', 'offers'], 'news'],
    ['new', ['news', 'offers'], 'news'],
    ['product-updates', ['product_updates'], 'product_updates'],
    ['EMAIL', ['email'], 'email'],
    ['xy', ['ab'], null],
    ['sms', ['rcs', 'sns'], 'sns'],
    ['', ['a'], null],
    ['a'.repeat(81), ['a'.repeat(81)], null],
  ])('to %s of %j is %s', (name, candidates, found) => expect(nearest(name, candidates)).toBe(found));

  it('is the name itself, and one with a letter too many, too few or swapped', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{6,20}$/), fc.nat(18), (name, place) => {
        const at = place % (name.length - 1);
        for (const typed of [
          name,
          name.slice(0, at) + name.slice(at + 1),
          `${name.slice(0, at)}q${name.slice(at)}`,
          name.slice(0, at) + name[at + 1]! + name[at]! + name.slice(at + 2),
        ])
          expect(nearest(typed, [name])).toBe(name);
      }),
    ));
});
