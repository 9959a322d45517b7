import type { Issue } from '../../kernel/index.js';
import { invalid } from '../errors/refused.js';

const COLOUR: Rule = [/^[0-9a-f]{6}$/, (value) => `#${value}`, 'must be six hex digits'];
type Rule = [form: RegExp, css: (value: string) => string, otherwise: string];
const COLOUR_NAMES = /^(light|dark)-(background|text|primary|on-primary|secondary|on-secondary|border|link)$/;
/** As `banner.yaml` allows them; the font last, since a quote that is not closed ends what stands behind it. */
const OTHERS: Readonly<Record<string, Rule>> = {
  'theme-radius': [/^\d{1,2}px$/, (value) => value, 'must be a number of pixels up to 99, such as 8px'],
  'theme-font': [
    /^[A-Za-z0-9 ,'"_-]{1,200}$/,
    (value) => `${value}\n`,
    'must be names of fonts with commas between them',
  ],
};

/**
 * The colours, corners and fonts that the query of a style sheet's address names, as CSS: a page whose policy forbids styles in
 * the document has them by an address that says it all. Refuses with `validation_failed` what is none of them.
 */
export function themeOf(url: string): string {
  const mark = url.indexOf('?');
  if (mark < 0) return '';
  const issues: Issue[] = [];
  const properties = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    const rule = COLOUR_NAMES.test(name) ? COLOUR : Object.hasOwn(OTHERS, name) ? OTHERS[name]! : null;
    if (!rule) issues.push({ path: name.slice(0, 64), message: 'is no property of a theme' });
    else if (!rule[0].test(value)) issues.push({ path: name, message: rule[2] });
    else properties.set(name, rule[1](value));
    if (issues.length > 0) throw invalid(issues);
  }
  const named = [...properties].sort(([a], [b]) => Number(a === 'theme-font') - Number(b === 'theme-font'));
  return named.length === 0 ? '' : `:host{${named.map(([name, value]) => `--${name}:${value}`).join(';')}}`;
}
