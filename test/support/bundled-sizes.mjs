// Reads code by name, as JSON, from standard input, and prints what a bundler makes of each in the folder that is the
// first argument: bytes, minified and gzipped, of what is loaded first and of all. A process of its own, since the bundler
// does not take what was made inside of jest.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';

const [folder] = process.argv.slice(2);
const page = join(folder, 'page.js');

async function sizesOf(code) {
  const { output } = await build({
    input: page,
    cwd: folder,
    platform: 'browser',
    write: false,
    plugins: [
      { name: 'page', load: (id) => (id === page ? code : null), resolveId: (id) => (id === page ? id : null) },
    ],
    output: { format: 'esm', minify: true },
  });
  const sizes = output.map(({ code: made }) => gzipSync(made, { level: 9 }).length);
  return { first: sizes[0], all: sizes.reduce((sum, size) => sum + size, 0) };
}

const sizes = {};
for (const [name, code] of Object.entries(JSON.parse(readFileSync(0, 'utf8')))) sizes[name] = await sizesOf(code);
console.log(JSON.stringify(sizes));
