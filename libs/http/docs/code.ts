import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { html, trusted, type Html } from '../../pages/html.js';

const GRAMMARS = { bash, css, diff, javascript, json, sql, typescript, xml, yaml };
for (const [name, grammar] of Object.entries(GRAMMARS)) highlighter.registerLanguage(name, grammar);

/** By what stands behind the fence of a block: how a reader calls it, and the grammar that colours it. */
const LANGUAGES: Readonly<Record<string, readonly [label: string, grammar?: keyof typeof GRAMMARS]>> = {
  sh: ['Commands', 'bash'],
  js: ['JavaScript', 'javascript'],
  jsx: ['JavaScript', 'javascript'],
  ts: ['TypeScript', 'typescript'],
  json: ['Answer', 'json'],
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
