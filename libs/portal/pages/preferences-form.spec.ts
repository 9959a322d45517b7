import type { TemplateView } from '../../catalogue/index.js';
import type { PreferencesView } from '../../preferences/index.js';
import { changesIn, fieldRefused, shownAnswers } from './preferences-form.js';

const field = (key: string, kind: string, more: object = {}) => ({
  ...{ key, kind, label: key, help: null, channel: null, topic: null, purposeKey: null, options: [], default: null },
  ...{ required: false, doubleOptIn: 'NONE', validation: {} },
  ...more,
});
const options = ['a', 'b'].map((value) => ({ value, label: value }));
const template = {
  sections: [
    {
      key: 's',
      title: 's',
      fields: [
        field('news', 'TOGGLE', { channel: 'email', topic: 'news', options }),
        field('flag', 'TOGGLE', { default: true }),
        field('one', 'SELECT', { options }),
        field('many', 'MULTI_SELECT', { options }),
        field('age', 'NUMBER'),
        field('day', 'DATE'),
        field('note', 'TEXT'),
      ],
    },
  ],
} as unknown as TemplateView;
const topic = (more: object) => ({
  state: 'UNSET',
  since: null,
  confirmedAt: null,
  expiresAt: null,
  frequency: null,
  pausedUntil: null,
  sendable: false,
  blockedBy: 'UNSET',
  ...more,
});
const view = (news: object = {}, fields: object = {}): PreferencesView =>
  ({
    globalOptOut: { state: 'NONE', since: null },
    channels: { email: { state: 'UNSET', verified: true, topics: { news: topic(news) } } },
    fields,
  }) as unknown as PreferencesView;

/** The form as a browser posts it where nothing was touched. */
const untouched = (of: PreferencesView): Record<string, string> => {
  const answers = shownAnswers(template, of);
  const { news, flag, one, many, age, day, note } = answers as Record<
    string,
    { value: unknown; frequency?: string; pausedUntil?: string }
  >;
  return {
    before: JSON.stringify({ answers, optedOut: of.globalOptOut.state === 'ACTIVE' }),
    ...(news!.value === true && { 'value.news': 'on' }),
    'often.news': news!.frequency ?? '',
    'pause.news': news!.pausedUntil ?? '',
    ...(flag!.value === true && { 'value.flag': 'on' }),
    'value.one': (one!.value as string | null) ?? '',
    ...((many!.value as string[]).includes('a') && { 'choice.many.0': 'on' }),
    ...((many!.value as string[]).includes('b') && { 'choice.many.1': 'on' }),
    'value.age': age!.value === null ? '' : String(age!.value),
    'value.day': (day!.value as string | null) ?? '',
    'value.note': (note!.value as string | null) ?? '',
  };
};
const said = (type: string, value: unknown) => ({ type, value, updatedAt: '2026-11-21T12:00:00.000Z' });
const full = view(
  { state: 'GRANTED', frequency: 'a', pausedUntil: '2027-01-31T00:00:00.000Z' },
  {
    flag: said('TOGGLE', false),
    one: said('SELECT', 'b'),
    many: said('MULTI_SELECT', ['b']),
    age: said('NUMBER', 30),
    day: said('DATE', '1990-01-01'),
    note: said('TEXT', '"><b>'),
  },
);

it.each([
  ['nothing was said', view()],
  ['everything was said', full],
])('says nothing where %s and nobody touched it', (_, of) => {
  expect(changesIn(untouched(of), template)).toEqual({ values: [] });
});

it('says what was changed, and that alone', () => {
  const { 'value.news': _, ...without } = untouched(full);
  const changes = changesIn(
    {
      ...without,
      'often.news': 'b',
      'pause.news': '',
      'value.age': '31',
      'choice.many.0': 'on',
      'value.note': '',
      'opt-out': 'on',
    },
    template,
  );
  expect(changes).toEqual({
    values: [
      { field: 'channels.email.topics.news', value: false, frequency: 'b', pausedUntil: null },
      { field: 'many', value: ['a', 'b'] },
      { field: 'age', value: 31 },
      { field: 'note', value: null },
    ],
    globalOptOut: true,
  });
  expect(fieldRefused('values[1].value', changes, template)).toBe('many');
  expect(fieldRefused('values[0].frequency', changes, template)).toBe('news');
  expect(fieldRefused('values[9].value', changes, template)).toBeNull();
  expect(fieldRefused('subject', changes, template)).toBeNull();
});

it('begins a pause at midnight, and hands on what is no number, for its field to refuse', () => {
  expect(changesIn({ ...untouched(view()), 'pause.news': '2027-05-01', 'value.age': 'many' }, template).values).toEqual(
    [
      { field: 'channels.email.topics.news', pausedUntil: '2027-05-01T00:00:00.000Z' },
      { field: 'age', value: 'many' },
    ],
  );
});

it('takes a wish that waits for confirmation as one', () => {
  expect(shownAnswers(template, view({ state: 'PENDING' }))['news']!.value).toBe(true);
  expect(shownAnswers(template, view({ state: 'DENIED' }))['news']!.value).toBe(false);
});

it.each(['', 'nonsense', '[]', '{"answers":7}', '{"answers":null,"optedOut":"x"}'])(
  'bears a form that says %j of what it showed',
  (before) => {
    const { 'value.flag': _, ...posted } = untouched(view());
    expect(changesIn({ ...posted, before }, template).values).toEqual([{ field: 'flag', value: false }]);
  },
);
