import type { Token, Tokens } from 'marked';
import { setImmediate } from 'node:timers/promises';
import { errorCatalogue } from '../errors/error-catalogue.js';
import type { OpenApiDocument } from '../openapi/openapi.js';
import { GUIDES, listedPages, readGuides } from './guide-files.js';
import { anchorOf, plain, tokensOf } from './guide-pages.js';
import { REFERENCE, tagsOf } from './reference-page.js';
import type { SearchIndex } from './searcher.js';

/** A part of a page with its text. */
export interface SearchedPart {
  title: string;
  address: string;
  heading: string;
  anchor: string;
  text: string;
}

/** Words that say nothing about a page. */
const COMMON = new Set(
  'the and for with that this from are was were has have had not but its their them they then than who whom whose what when where which while will would can cannot may must all any each other others one two does did been being into onto only also such out off over under too very you your our his her him she more most some same both there here how why these those about after again before between because itself upon per own'.split(
    ' ',
  ),
);
const LETTERS_MIN = 3;
const LETTERS_MAX = 24;
/** A word of more than this share of all parts tells none of them from the others. */
const SHARE_MAX = 0.12;

/** Everything that can be found: guides by heading, operations and errors. Other requests are answered between two guides. */
export const searchedParts = async (document: OpenApiDocument): Promise<SearchedPart[]> => [
  ...(await guideParts()),
  ...tagsOf(document).flatMap(({ name, slug, entries }) =>
    entries.map(({ operationId, method, path, summary }) => ({
      title: `Reference: ${name}`,
      address: `${REFERENCE}/${slug}`,
      heading: plain(summary),
      anchor: operationId,
      text: `${method} ${path} ${operationId}`,
    })),
  ),
  ...errorCatalogue.map(({ code, title }) => ({
    title: 'Errors',
    address: '/docs/errors',
    heading: code,
    anchor: code,
    text: title,
  })),
];

async function guideParts(): Promise<SearchedPart[]> {
  const titles = new Map(listedPages().map(({ address, title }) => [address, title]));
  const all: SearchedPart[] = [];
  for (const guide of readGuides().guides.values()) {
    if (guide.name === '') continue;
    await setImmediate();
    const [, ...rest] = tokensOf(guide);
    const address = `${GUIDES}/${guide.name}`;
    const title = titles.get(address)!;
    const parts: SearchedPart[] = [{ title, address, heading: '', anchor: '', text: '' }];
    for (const token of rest) {
      if (isHeading(token)) {
        parts.push({ title, address, heading: plain(token.text), anchor: anchorOf(token.text), text: '' });
      } else {
        parts.at(-1)!.text += `${wordsIn(token)} `;
      }
    }
    all.push(...parts);
  }
  return all;
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
/** Markdown without its marks and without the targets of links. */
const wordsIn = ({ raw }: Token): string =>
  raw
    .replace(/^```\w*$/gm, ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/<[^>\n]*>/g, ' ')
    .replace(/[*`|[\]]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Words of a text, parts of names such as `consent_expired` and `getConsentState` apart. */
const wordsOf = (text: string): string[] =>
  (
    text
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter(
    (word) =>
      word.length >= LETTERS_MIN &&
      word.length <= LETTERS_MAX &&
      !COMMON.has(word) &&
      !/^\d+[a-z]*$|^[a-f\d]{8,}$/.test(word),
  );

export function searchIndexOf(searched: readonly SearchedPart[]): SearchIndex {
  const pages = new Map<string, [place: number, title: string]>();
  const places = new Map<string, Set<number>>();
  const parts = searched.map(({ title, address, heading, anchor, text }, part): SearchIndex['parts'][number] => {
    if (!pages.has(address)) pages.set(address, [pages.size, title]);
    // What stands in headings and titles is found there.
    const inHeading = new Set(wordsOf(`${title} ${heading}`));
    for (const word of wordsOf(text))
      if (!inHeading.has(word)) places.set(word, (places.get(word) ?? new Set()).add(part));
    return [pages.get(address)![0], heading, anchor];
  });
  const isCommon = (holders: ReadonlySet<number>): boolean => holders.size > searched.length * SHARE_MAX;
  const telling = [...places].filter(([, holders]) => !isCommon(holders)).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    pages: [...pages].map(([address, [, title]]) => [title, address]),
    parts,
    words: telling.map(([word], i) => packed(word, telling[i - 1]?.[0] ?? '')).join(' '),
    places: telling.map(([, holders]) => steps([...holders])).join(','),
    common: [...places].filter(([, holders]) => isCommon(holders)).map(([word]) => word),
  };
}

/** How many letters it has in common with the word before, at most 35, and the rest. */
function packed(word: string, before: string): string {
  let same = 0;
  while (same < 35 && same < word.length - 1 && word[same] === before[same]) same += 1;
  return same.toString(36) + word.slice(same);
}

const steps = (holders: readonly number[]): string =>
  holders.map((part, i) => (part - (holders[i - 1] ?? -1)).toString(36)).join(' ');
