import type { PublishedTemplate, TemplateView } from '../../catalogue/index.js';
import { readReference } from '../../http/registered-kind.js';
import { correctionsIn, kindsAsked, rightOf, wrongOf } from './corrections-form.js';

const field = (key: string, kind: string, more: object = {}) => ({
  ...{ key, kind, channel: null, topic: null, purposeKey: null, options: [], default: null },
  ...{ required: false, doubleOptIn: 'NONE', validation: {} },
  ...more,
});
const sections = [
  { key: 's', fields: [field('news', 'TOGGLE', { channel: 'email', topic: 'news' }), field('age', 'NUMBER')] },
];
const definition = { channels: [{ key: 'email' }], sections };
const by = {
  kinds: kindsAsked(['custom.loyalty']),
  template: { definition } as unknown as PublishedTemplate,
  view: { sections } as unknown as TemplateView,
  reference: (text: string) => readReference(text, { identifierKinds: ['custom.loyalty'] }),
};
const before = (news: boolean, age: number | null): string =>
  JSON.stringify({ answers: { news: { value: news }, age: { value: age } }, optedOut: false });
const read = (posted: Record<string, string>) => correctionsIn(posted, by);

describe('a form that says what is to be put right', () => {
  it('says nothing where nothing is filled in', () => {
    expect(read({ type: 'RECTIFICATION' })).toEqual({ corrections: [] });
    const untouched = { 'value.news': 'on', 'value.age': '36', before: before(true, 36) };
    expect(read({ [wrongOf('email')]: ' ', country: '', language: '', ...untouched })).toEqual({ corrections: [] });
  });

  it('replaces, adds and removes identifiers, as they are looked up', () => {
    const posted = {
      [wrongOf('email')]: 'Ada@Example.org ',
      [rightOf('email')]: 'ada@example.net',
      [rightOf('phone')]: '+49 151 1234567',
      [wrongOf('custom.loyalty')]: '47-11',
    };
    expect(read(posted)).toEqual({
      corrections: [
        { kind: 'email', value: 'ada@example.net', replaces: 'ada@example.org' },
        { kind: 'phone', value: '+491511234567' },
        { kind: 'custom.loyalty', value: null, replaces: '47-11' },
      ],
    });
  });

  it('changes or removes country and language, and changes what was changed of preferences', () => {
    const posted = { country: 'AT', language: '-', 'value.age': '37', before: before(true, 36) };
    expect(read(posted)).toEqual({
      corrections: [
        { kind: 'country', value: 'AT' },
        { kind: 'locale', value: null },
        { kind: 'preference', field: 'channels.email.topics.news', value: false },
        { kind: 'preference', field: 'age', value: 37 },
      ],
    });
  });

  it.each([
    ['right.phone', { [rightOf('phone')]: 'call me' }],
    ['wrong.phone', { [wrongOf('phone')]: 'call me', [rightOf('phone')]: '+491511234567' }],
    ['wrong.email', { [wrongOf('email')]: 'a@example.org', [rightOf('email')]: 'A@example.org' }],
    ['country', { [rightOf('email')]: 'a@example.org', country: 'Austria' }],
    ['language', { language: 'a language' }],
    ['f-age', { 'value.age': 'old', before: before(false, 36) }],
  ])('names the field %s where that is not understood', (wrong, posted) => expect(read(posted)).toEqual({ wrong }));

  it('asks for no more kinds than a request can take', () => {
    const many = Array.from({ length: 40 }, (_, i) => `custom.k${i}`);
    expect(kindsAsked(many)).toHaveLength(12);
    expect(kindsAsked()).toEqual(['email', 'phone', 'user_id', 'external_id']);
  });
});
