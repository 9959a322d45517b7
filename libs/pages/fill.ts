import { html, type Html, type HtmlValue } from './html.js';
import { directionOf, type Language } from './languages.js';

const NAME_LENGTH_MAX = 300;
/** Whatever breaks a line, turns the direction of text around, or could close an isolate that we open. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
const READ_FROM_THE_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

function oneLine(name: string, most: number): string {
  const letters = [...name.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()];
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most - 1).join('')}…`;
}

/** A name as it can stand inside a sentence: kept apart (U+2068, U+2069) where the two may be read in different directions. */
export function named(name: string, language: Language, most = NAME_LENGTH_MAX): string {
  const line = oneLine(name, most);
  return directionOf(language) === 'rtl' || READ_FROM_THE_RIGHT.test(line) ? `\u2068${line}\u2069` : line;
}

/** Puts names into a text with places, `{site}`. Braces inside a name stay what they are. */
export const fill = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => names[name] ?? place);

/** The same where what is put in may be markup. */
export const fillHtml = (text: string, parts: Readonly<Record<string, HtmlValue>>): Html =>
  html`${text.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : (parts[part] ?? `{${part}}`)))}`;
