/** Markup: a text that a browser reads as it stands. Made by `html`, and by `trusted` of what was never anything else. */
export class Html {
  constructor(private readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

/** What can stand in a template: texts are escaped, markup stands as it is, lists are joined, and nothing shows nothing. */
export type HtmlValue = Html | string | number | bigint | null | undefined | false | readonly HtmlValue[];

/** Characters that end a text or the value of an attribute, as references that every browser reads. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function markupOf(value: HtmlValue): string {
  if (value instanceof Html) return value.toString();
  if (value === null || value === undefined || value === false) return '';
  return Array.isArray(value) ? value.map(markupOf).join('') : escaped(String(value as string | number | bigint));
}

/**
 * HTML of a template. Values are safe between tags and in attributes that have quotes (the linter demands them). They are
 * not in the text of a script or a style sheet.
 */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = texts[0]!;
  for (const [i, value] of values.entries()) markup += markupOf(value) + texts[i + 1]!;
  return new Html(markup);
}

/** A text that is markup already: a style sheet or a script of ours, or what a Markdown reader made. Never a text of others. */
export const trusted = (markup: string): Html => new Html(markup);

/** Parts with something between each two, such as a line break or a comma. */
export const joined = (parts: readonly HtmlValue[], between: string): Html =>
  new Html(parts.map(markupOf).join(escaped(between)));

export const NOTHING = new Html('');
