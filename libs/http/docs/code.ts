import { createRequire } from 'node:module';
import { html, trusted, type Html } from '../../pages/html.js';

/** What is used of highlight.js. Its own types would bring those of browsers into the service. */
interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void;
  /** `value`: markup, with what stood in the text escaped. Throws where the language was not registered. */
  highlight(text: string, options: { language: string }): { value: string };
}

const GRAMMARS = [
  'bash',
  'csharp',
  'css',
  'diff',
  'javascript',
  'json',
  'python',
  'sql',
  'typescript',
  'xml',
  'yaml',
] as const;
const load = createRequire(import.meta.url);
const highlighter = load('highlight.js/lib/core') as Highlighter;
for (const name of GRAMMARS) highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));

/** By what stands behind the fence of a block: how a reader calls it, and the grammar that colours it. */
const LANGUAGES: Readonly<Record<string, readonly [label: string, grammar?: (typeof GRAMMARS)[number]]>> = {
  sh: ['Commands', 'bash'],
  js: ['JavaScript', 'javascript'],
  jsx: ['JavaScript', 'javascript'],
  ts: ['TypeScript', 'typescript'],
  csharp: ['C#', 'csharp'],
  json: ['Answer', 'json'],
  python: ['Python', 'python'],
  sql: ['SQL', 'sql'],
  html: ['HTML', 'xml'],
  vue: ['Vue', 'xml'],
  svelte: ['Svelte', 'xml'],
  css: ['Style sheet', 'css'],
  yaml: ['YAML', 'yaml'],
  diff: ['Change', 'diff'],
};

export const codeLabel = (language: string): string => LANGUAGES[language]?.[0] ?? 'Example';

/**
 * A listing that is scrolled by keyboard too, in colours of the style sheet. A text of a language that is not listed stands
 * as it is. `label`: by which screen readers tell it from the other listings of the page.
 */
export function listing(text: string, language: string, label: string): Html {
  const grammar = LANGUAGES[language]?.[1];
  const shown = grammar ? trusted(highlighter.highlight(text, { language: grammar }).value) : text;
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code>${shown}</code></pre></div>`;
}
