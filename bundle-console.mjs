import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'rolldown';
import { styleOf } from './bundle-elements.mjs';

const SOURCE = join(import.meta.dirname, 'apps', 'console');

/**
 * Makes the files of `/console/assets` in a folder: the script that the page begins with, a part for each screen, one
 * style sheet, and `manifest.json`, which names script and style sheet. Every name holds the hash of its content.
 */
export async function bundleConsole(folder) {
  mkdirSync(folder, { recursive: true });
  const { output } = await build({
    cwd: SOURCE,
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.tsx', '.ts', '.js'] } },
    transform: { target: ['chrome123', 'firefox120', 'safari17.5'] },
    input: { console: join(SOURCE, 'main.tsx') },
    output: {
      dir: folder,
      format: 'esm',
      minify: true,
      sourcemap: true,
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: ({ facadeModuleId, name }) =>
        `${facadeModuleId ? basename(dirname(facadeModuleId)) : name}-[hash].js`,
    },
  });
  const style = readdirSync(SOURCE, { recursive: true })
    .filter((name) => name.endsWith('.css'))
    // Tokens first, parts after them, screens last.
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
    .map((name) => styleOf(join(SOURCE, name)))
    .join('');
  const styleName = `console-${createHash('sha256').update(style).digest('hex').slice(0, 12)}.css`;
  writeFileSync(join(folder, styleName), style);
  const script = output.find(({ isEntry }) => isEntry).fileName;
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ script, style: styleName }, null, 2)}\n`);
}

const ORDER = [/^style\/tokens\.css$/, /^style\//, /^parts\//, /^screens\//];
const rank = (name) => ORDER.findIndex((each) => each.test(name.replaceAll('\\', '/')));
