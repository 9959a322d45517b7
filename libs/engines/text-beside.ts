import { readFileSync } from 'node:fs';

/**
 * The text of a file that stands beside the module that asks. Call it with `import.meta.url` and the name in single quotes,
 * such as './page.css': `bundle.mjs` looks for calls of this form and puts the text in their place, so that a service is one
 * file. Throws where there is no such file.
 */
export const textBeside = (module: string, name: string): string => readFileSync(new URL(name, module), 'utf8');
