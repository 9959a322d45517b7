import { ARCHIVE_WORDS, timeIn } from './words/index.js';

/** Every text by its path, `link.title`. */
const textsOf = (words: object, path = ''): [string, string][] =>
  Object.entries(words).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[path + name, value] as [string, string]]
      : textsOf(value as object, `${path}${name}.`),
  );
const placesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe.each(Object.entries(ARCHIVE_WORDS))('the words of an archive in %s', (language, words) => {
  it('name all that the English ones name', () => {
    const places = (of: object): [string, string[]][] => textsOf(of).map(([path, text]) => [path, placesIn(text)]);
    expect(places(words)).toEqual(places(ARCHIVE_WORDS.en));
    if (language === 'en') return;
    const english = new Map(textsOf(ARCHIVE_WORDS.en));
    expect(textsOf(words).filter(([path, text]) => english.get(path) === text)).toEqual([]);
  });

  it('say when', () => expect(timeIn(language as 'en', '2026-11-21T12:00:00.000Z')).toMatch(/26|٢٦/));
});
