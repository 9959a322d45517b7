// Lets Node load the TypeScript of libs and tests: transformed by swc, and with `.js` in an import meaning the `.ts` that
// stands there. Given to `module.register`.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import transformed from './plain/transformed.cjs';

const JEST_GLOBALS = new URL('plain/globals.mjs', import.meta.url).href;

export function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, format: 'module', shortCircuit: true };
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const source = readFileSync(filename, 'utf8');
  const place = transformed.placeOf(filename, source);
  const known = existsSync(`${place}.js`) ? readFileSync(`${place}.js`) : null;
  return { format: 'module', source: known ?? transform(source, filename, place), shortCircuit: true };
}

function transform(source, filename, place) {
  const { code, map } = transformSync(source, { filename, sourceMaps: true });
  keep(`${place}.map`, map);
  keep(`${place}.js`, code);
  return code;
}

/** Whole or not at all, since others look for the same; where nothing can be written it is transformed anew each time. */
function keep(file, text) {
  const own = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(own, text);
    renameSync(own, file);
  } catch {
    // As it was.
  }
}
