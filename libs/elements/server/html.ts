import type { Described } from '../banner/description.js';

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** A text as HTML, also between double quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPED[sign]!);

const VOID = ['input', 'link'];

/** What is described, as HTML that a browser reads as the same nodes. */
export function htmlOf(described: Described): string {
  if (typeof described === 'string') return escaped(described);
  const [tag, attributes, inside] = described;
  const start = `<${tag}${Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')}>`;
  return VOID.includes(tag) ? start : `${start}${inside.map(htmlOf).join('')}</${tag}>`;
}
