import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { codeBlocks } from '../support/client-examples.js';
import { startBrowser, type Browsing } from '../support/browser.js';
import { startElementsPages, type ElementsPages } from '../support/elements-pages.js';
import { startWorld, type World } from '../support/world.js';

/* The package as it is published: packed, installed into an empty project, and used by servers, compilers and pages. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
/** For the manifest, beside a load. */
const PATIENCE_MS = 60_000;

let folder: string;
let installed: string;
let world: World;
let browser: Browsing;
let pages: ElementsPages;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
  folder = mkdtempSync(join(tmpdir(), 'assent-elements-'));
  await run(process.execPath, [join(ROOT, 'pack-elements.mjs')]);
  const packed = await run('npm', ['pack', join(ROOT, 'dist/elements'), '--pack-destination', folder, '--json'], {
    cwd: folder,
  });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', `./${filename}`, '--no-audit', '--no-fund', '--offline'], { cwd: folder });
  installed = join(folder, 'node_modules/@assent/elements');
  for (const name of ['react', 'vue', '@types', '@vue', 'csstype'])
    if (existsSync(join(ROOT, 'node_modules', name)))
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
}, 420_000);
afterAll(async () => {
  await pages?.stop();
  await browser?.stop();
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function runs(name: string, code: string): Promise<string> {
  writeFileSync(join(folder, name), code);
  return (await run(process.execPath, [join(folder, name)], { cwd: folder })).stdout.trim();
}

test('every entry and type that it names is in it, and it depends on nothing', () => {
  const declared = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
    dependencies?: object;
  };
  const named = JSON.stringify(declared.exports).match(/"\.\/[^"]+\.[a-z.]+"/g)!;
  for (const file of named)
    expect([file, existsSync(join(installed, JSON.parse(file) as string))]).toEqual([file, true]);
  expect(declared.dependencies).toBeUndefined();
  for (const file of ['index.js', 'server.js', 'server.cjs'])
    expect(readFileSync(join(installed, file), 'utf8')).not.toMatch(/from ["'][^.]|require\(["'][^.]|node:/);
});

test.each([
  ['imports', 'server.mjs', "import { manifestSource, renderBanner } from '@assent/elements/server';"],
  ['requires', 'server.cjs', "const { manifestSource, renderBanner } = require('@assent/elements/server');"],
])('a server %s it and renders the banner without a DOM', async (_, name, line) => {
  const html = await runs(
    name,
    `${line}
     const manifest = manifestSource({ baseUrl: '${world.url}/', key: '${world.demo.publicKey}', timeoutMs: ${PATIENCE_MS} });
     const nowhere = manifestSource({ baseUrl: 'http://127.0.0.1:1', key: 'pk_test_x' });
     Promise.all([manifest(), nowhere()]).then(([known, none]) =>
       console.log(none, typeof document, renderBanner(known, { country: 'DE', locale: 'de-AT' })));`,
  );
  expect(html).toMatch(/^null undefined <assent-banner data-content-hash="sha256:[0-9a-f]{64}" data-country="DE"/);
  expect(html).toContain('Alle ablehnen');
});

test.each<[string, () => string]>([
  ['README', () => join(installed, 'README.md')],
  ['guide', () => join(ROOT, 'docs/guides/in-your-pages.md')],
])('what the %s says of servers runs', async (name, file) => {
  const code = codeBlocks(readFileSync(file(), 'utf8')).find(
    ({ heading, language }) => heading === 'In the first HTML' && language === 'js',
  )!.code;
  const here = code
    .replace('https://consent.example', world.url)
    .replace("'pk_live_…'", `'${world.demo.publicKey}', timeoutMs: ${PATIENCE_MS}`);
  const html = await runs(
    `${name}.mjs`,
    `${here}\nconsole.log(await bannerFor({ headers: { 'cf-ipcountry': 'US', 'sec-gpc': '1' } }));`,
  );
  expect(html).toContain('data-country="US"');
});

test('TypeScript knows the elements and what their events bring, also in React', async () => {
  writeFileSync(
    join(folder, 'page.tsx'),
    `import { start } from '@assent/elements';
     import { renderBanner, type BannerManifest } from '@assent/elements/server';
     import type {} from '@assent/elements/react';
     import type { AssentComponents } from '@assent/elements/vue';
     const running = start({ key: 'pk_live_x', baseUrl: 'https://consent.example', country: 'DE' });
     void running.openChoices();
     document.addEventListener('assent-choice', ({ detail }) => detail.decisions['analytics'] === 'GRANTED');
     document.querySelector('assent-banner')?.open();
     export const html = (manifest: BannerManifest): string => renderBanner(manifest, { country: 'DE', gpc: true });
     export const banner = <assent-banner onassent-choice={({ detail }) => void detail.records} />;
     // @ts-expect-error -- no such detail
     export const wrong = <assent-banner onassent-choice={({ detail }) => void detail.nothing} />;
     export const props: InstanceType<AssentComponents['assent-banner']>['$props'] = {
       onAssentChoice: ({ detail }) => void detail.receipts,
     };`,
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        jsx: 'react-jsx',
        module: 'ESNext',
        moduleResolution: 'Bundler',
        target: 'ES2022',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        types: [],
        skipLibCheck: true,
        preserveSymlinks: true,
      },
      files: ['page.tsx'],
    }),
  );
  const { stdout } = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

test('a bundled page asks and records with it', async () => {
  writeFileSync(
    join(folder, 'entry.js'),
    `import { start } from '@assent/elements';
     start({ key: '${world.demo.publicKey}', baseUrl: '${world.url}', country: 'DE' });`,
  );
  const { output } = await build({
    cwd: folder,
    input: join(folder, 'entry.js'),
    platform: 'browser',
    write: false,
    output: { format: 'esm', entryFileNames: 'entry.js', chunkFileNames: '[name].js' },
  });
  pages.serves(
    Object.fromEntries(output.flatMap((each) => (each.type === 'chunk' ? [[`/${each.fileName}`, each.code]] : []))),
  );
  const page = await pages.visit({ attributes: { key: '' }, head: '<script type="module" src="/entry.js"></script>' });
  await page.getByRole('region', { name: 'Your privacy' }).waitFor();
  const chosen = page.evaluate<Record<string, string>>(
    "new Promise((resolve) => addEventListener('assent-choice', ({ detail }) => resolve(detail.decisions), { once: true }))",
  );
  await page.locator('assent-banner').getByRole('button', { name: 'Accept all', exact: true }).click();
  expect(await chosen).toMatchObject({ analytics: 'GRANTED' });
  expect(pages.faults).toEqual([]);
});
