import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const SOURCE = join(import.meta.dirname, 'libs', 'elements');

/** A style sheet without what only its reader needs. */
export const styleOf = (path) =>
  readFileSync(path, 'utf8')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();

/** A style sheet as a text. */
const styles = {
  name: 'styles',
  load: (id) =>
    id.endsWith('.css') ? { code: `export default ${JSON.stringify(styleOf(id))};`, moduleType: 'js' } : null,
};

/**
 * The words of `<assent-preferences>`, a file for each language: those of the portal that `words-used.json` names, and the
 * element's own. `assent:words` is the table of loaders. Throws where a language lacks one.
 */
const words = {
  name: 'words',
  resolveId: (id) => (id.startsWith('assent:words') ? id.replace(':', '-').replace('/', '-') : null),
  load(id) {
    const [, language] = /^assent-words(?:-(\w+))?$/.exec(id) ?? [];
    if (!id.startsWith('assent-words')) return null;
    const read = (...path) => JSON.parse(readFileSync(join(SOURCE, ...path), 'utf8'));
    const own = read('preferences', 'own-words.json');
    if (language === undefined)
      return `export default {${Object.keys(own).map((each) => `${each}:()=>import('assent:words/${each}')`)}};`;
    const used = read('preferences', 'words-used.json');
    const texts = {
      portal: read('..', 'portal', 'texts', `${language}.json`),
      archive: read('..', 'data-requests', 'archive', 'texts', `${language}.json`),
    };
    const picked = Object.entries(used).map(([name, room]) => [name, texts[room][name]]);
    const lacking = picked.filter(([, text]) => text === undefined).map(([name]) => name);
    if (lacking.length > 0) throw new Error(`The words of ${language} lack ${lacking.join(', ')}.`);
    return `export default ${JSON.stringify({ ...Object.fromEntries(picked), ...own[language] })};`;
  },
};

/** How modules of the elements are bundled, wherever they go. */
export const BUNDLING = {
  cwd: SOURCE,
  platform: 'browser',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  plugins: [styles, words],
};
const hashOf = (text, algorithm, encoding) => createHash(algorithm).update(text).digest(encoding);

/** Modules that a page loads at once, by what imports what without waiting. */
async function modulesOfPage() {
  const { output } = await build({
    ...BUNDLING,
    input: join(SOURCE, 'page.ts'),
    write: false,
    output: { format: 'esm' },
  });
  return new Set(output.find(({ isEntry }) => isEntry).moduleIds);
}

/**
 * Makes the files of `/elements/v1` in a folder: `assent.js`, a copy of it under the name of its hash, the parts that it
 * loads, which have their hash in their name too, and `manifest.json`. Made of the TypeScript itself: the service is
 * compiled without the types of browsers.
 */
export async function bundleElements(folder) {
  mkdirSync(folder, { recursive: true });
  const needed = await modulesOfPage();
  const target = { target: ['chrome123', 'firefox120', 'safari17.5'] };
  const parts = await build({
    ...BUNDLING,
    transform: target,
    input: { page: join(SOURCE, 'page.ts') },
    preserveEntrySignatures: 'allow-extension',
    output: {
      dir: folder,
      format: 'esm',
      minify: true,
      sourcemap: true,
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      // What the page needs anyway is one file, also where a part that is loaded later needs it too.
      codeSplitting: { groups: [{ name: 'page', test: (id) => needed.has(id) }] },
    },
  });
  const nameOf = (module) =>
    parts.output.find(({ facadeModuleId }) => facadeModuleId === join(SOURCE, module)).fileName;
  await build({
    ...BUNDLING,
    transform: {
      ...target,
      define: { PAGE_FILE: JSON.stringify(nameOf('page.ts')), BANNER_FILE: JSON.stringify(nameOf('banner/draw.ts')) },
    },
    input: join(SOURCE, 'loader.ts'),
    output: { file: join(folder, 'assent.js'), format: 'iife', minify: true, sourcemap: true },
  });
  const script = readFileSync(join(folder, 'assent.js'));
  const hashed = `assent-${hashOf(script, 'sha256', 'hex').slice(0, 12)}.js`;
  writeFileSync(join(folder, hashed), script);
  // For the frame in which the console shows a banner before it is published: all of it in one file.
  const preview = await build({
    ...BUNDLING,
    transform: target,
    input: { preview: join(SOURCE, 'preview', 'preview.ts') },
    output: { dir: folder, format: 'esm', minify: true, sourcemap: true, entryFileNames: '[name]-[hash].js' },
  });
  // For pages whose first HTML holds the banner: there no script has run that could bring the style along.
  const style = styleOf(join(SOURCE, 'banner', 'banner.css'));
  const styleName = `banner-${hashOf(style, 'sha256', 'hex').slice(0, 12)}.css`;
  writeFileSync(join(folder, styleName), style);
  const manifest = {
    script: hashed,
    integrity: `sha384-${hashOf(script, 'sha384', 'base64')}`,
    style: styleName,
    preview: preview.output[0].fileName,
  };
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
