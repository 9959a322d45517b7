import { LANGUAGES, type Language } from '../../preferences/texts/index.js';
import { codeMail } from './code-mail.js';
import { span } from './dates.js';
import { PORTAL_WORDS } from './index.js';

/** Every text of a language, by name. */
const texts = (words: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(words).flatMap(([name, text]: [string, unknown]) =>
      typeof text === 'string'
        ? [[name, text]]
        : Object.entries(text as Record<string, string>).map(([part, said]) => [`${name}.${part}`, said]),
    ),
  );
const places = (text: string): string[] => [...text.matchAll(/\{(\w*)\}/g)].map(([, name]) => name!).sort();
const SCRIPTS: Partial<Record<Language, RegExp>> = {
  uk: /\p{Script=Cyrillic}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
};
const brand = { name: 'Shop Example', logo: null, accent: null, imprintUrl: null, privacyUrl: null };

describe.each(LANGUAGES)('the texts of the portal in %s', (language) => {
  const own = texts(PORTAL_WORDS[language]);
  const english = texts(PORTAL_WORDS.en);

  it('are complete, and name in each place what English names there', () => {
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort());
    for (const [name, text] of Object.entries(english)) {
      expect(own[name]!.trim()).toBe(own[name]);
      expect(own[name]).not.toBe('');
      expect({ name, places: places(own[name]!) }).toEqual({ name, places: places(text) });
    }
  });

  it('are in their own language, in its script', () => {
    for (const [name, text] of Object.entries(own)) {
      if (language !== 'en' && text.includes(' '))
        expect({ name, same: text === english[name] }).toEqual({ name, same: false });
      expect({ name, fits: (SCRIPTS[language] ?? /\p{Script=Latin}/u).test(text) }).toEqual({ name, fits: true });
    }
  });

  it('make a mail that holds the code once, in no subject, and says until when it is good', () => {
    for (const purpose of ['SIGN_IN', 'DATA_REQUEST'] as const) {
      const expiresAt = '2026-11-23T16:18:00.000Z';
      const { subject, content } = codeMail({ purpose, code: '042137', expiresAt, language, brand });
      expect(subject).toContain('Shop Example');
      expect(subject.length).toBeLessThanOrEqual(200);
      expect(subject).not.toContain('042137');
      expect(content.paragraphs.filter((paragraph) => paragraph.includes('042137'))).toEqual(['042137']);
      expect(content.paragraphs.join(' ')).toContain('16:18');
      expect(content.paragraphs.join(' ')).not.toMatch(/[{}]/);
    }
  });
});

it('says a span of time in words where it is of one unit', () => {
  expect([span('P14M', 'en'), span('P10Y', 'de'), span('P1Y6M', 'en')]).toEqual(['14 months', '10 Jahre', 'P1Y6M']);
});
