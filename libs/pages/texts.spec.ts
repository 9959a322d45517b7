import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LANGUAGES, type Language } from './languages.js';

const LIBS = fileURLToPath(new URL('..', import.meta.url));
/** Folders with a file of texts for every language, or for those of `IN_SOME`. */
const FOLDERS = (readdirSync(LIBS, { recursive: true }) as string[])
  .filter((file) => file.endsWith('/en.json'))
  .map(dirname)
  .sort();
/** What pages show around the vendor list's own texts, in the languages of the banner's other texts of its own. */
const IN_SOME: Readonly<Record<string, readonly Language[]>> = { 'elements/tcf/texts': ['en', 'de', 'fr'] };

type Texts = ReadonlyMap<string, string>;
/** Every text by its path, `link.title`, in the order of the file. */
function textsIn(folder: string, language: Language): Texts {
  const pathed = (value: object, path: string): [string, string][] =>
    Object.entries(value).flatMap(([name, text]: [string, unknown]) =>
      typeof text === 'string' ? [[path + name, text]] : pathed(text as object, `${path}${name}.`),
    );
  return new Map(pathed(JSON.parse(readFileSync(join(LIBS, folder, `${language}.json`), 'utf8')) as object, ''));
}
const placesIn = (text: string): string[] => [...text.matchAll(/\{(\w*)\}/g)].map(([place]) => place).sort();
const SCRIPTS: Partial<Record<Language, RegExp>> = {
  uk: /\p{Script=Cyrillic}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
};
/** One word that other languages have taken over, such as `Details`. */
const isOneWord = (text: string): boolean => /^\p{L}+$/u.test(text);

it('are kept by each area that speaks to people', () =>
  expect(FOLDERS).toEqual([
    'consent/shown/texts',
    'data-requests/archive/texts',
    'elements/tcf/texts',
    'pages/texts',
    'portal/texts',
    'preferences/shown/texts',
    'preferences/texts',
    'subjects/shown/texts',
  ]));

const FILES = FOLDERS.flatMap((folder) =>
  (IN_SOME[folder] ?? LANGUAGES).map((language) => [folder, language] as const),
);
describe.each(FILES)('%s/%s.json', (folder, language) => {
  const own = textsIn(folder, language);
  const english = textsIn(folder, 'en');

  it('has every text of the English file and no other, with the same places to fill', () => {
    const places = (texts: Texts) => [...texts].map(([path, text]) => `${path}: ${placesIn(text).join(' ')}`).sort();
    expect(places(own)).toEqual(places(english));
  });

  it('is in its own language and script, without white space at an end', () => {
    const wrong = [...own].filter(
      ([path, text]) =>
        text === '' ||
        text.trim() !== text ||
        !(SCRIPTS[language] ?? /\p{Script=Latin}/u).test(text) ||
        (language !== 'en' && text === english.get(path) && !isOneWord(text)),
    );
    expect(wrong).toEqual([]);
  });
});
