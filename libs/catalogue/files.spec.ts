import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CatalogueFolderRefused, examineCatalogueFolder, readCatalogueFolder } from './files.js';

const DEMO = fileURLToPath(new URL('../../apps/standalone/demo', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-catalogue-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const holding = (files: Record<string, string>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
};

describe('a catalogue folder', () => {
  it('holds purposes, in it or in the folder purposes, and at most one template', async () => {
    holding({
      'b.yaml': 'key: b',
      'prefs.yml': 'sections: []',
      'purposes/a.yaml': 'key: a',
      'notes.txt': 'key: x',
      'other/c.yaml': 'key: c',
    });
    expect(await readCatalogueFolder(folder)).toEqual({
      purposes: [{ key: 'b' }, { key: 'a' }],
      template: { sections: [] },
      files: { 'purposes[0]': 'b.yaml', 'purposes[1]': 'purposes/a.yaml', template: 'prefs.yml' },
    });
  });

  it('knows the template by its name too, so that a mistyped one is not taken for a purpose', async () => {
    holding({ 'template.yaml': 'section: []' });
    expect(await readCatalogueFolder(folder)).toEqual({
      purposes: [],
      template: { section: [] },
      files: { template: 'template.yaml' },
    });
  });

  it('leaves the place of the template out where there is none', async () => {
    holding({ 'a.yaml': 'key: a' });
    expect(await readCatalogueFolder(folder)).toEqual({ purposes: [{ key: 'a' }], files: { 'purposes[0]': 'a.yaml' } });
  });

  it('of the demo has both', async () => {
    const { purposes, template } = await readCatalogueFolder(DEMO);
    expect([purposes.length, template?.sections.length]).toEqual([5, 5]);
  });
});

describe('a folder that cannot be used', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['empty', {}, /holds no \.yaml files/],
    [
      'with two templates',
      { 'a.yaml': 'sections: []', 'template.yaml': 'sections: []' },
      /template\.yaml:1 is a second preference template, beside a\.yaml/,
    ],
    ['with a file that is no YAML', { 'a.yaml': 'key: [' }, /a\.yaml(:\d)? is not YAML/],
    ['with a key twice', { 'a.yaml': 'key: a\nkey: b' }, /a\.yaml:2 is not YAML: Map keys must be unique/],
    ['with two documents in a file', { 'a.yaml': 'key: a\n---\nkey: b' }, /a\.yaml(:\d)? is not YAML/],
    ['with an alias of nothing', { 'a.yaml': 'key: *nothing' }, /a\.yaml(:\d)? is not YAML/],
    [
      'with an alias of itself',
      { 'template.yaml': 'sections: &a [*a]' },
      /template\.yaml holds an alias that refers to itself/,
    ],
    [
      'with aliases that multiply',
      {
        'a.yaml': [
          'a: &a [x,x,x,x,x,x,x,x,x]',
          ...[...'bcdefgh'].map(
            (name, index) => `${name}: &${name} [${Array<string>(9).fill(`*${'abcdefgh'[index]}`).join()}]`,
          ),
        ].join('\n'),
      },
      /a\.yaml is not YAML: Excessive alias count/,
    ],
    [
      'with a hundred thousand brackets',
      { 'a.yaml': `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
      /nested too deeply/,
    ],
    ['with a hundred thousand dashes', { 'a.yaml': '- '.repeat(100_000) }, /nested too deeply/],
    [
      'with a staircase',
      { 'a.yaml': Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n') },
      /nested too deeply/,
    ],
    ['with a file of more than 2 MiB', { 'a.yaml': `key: ${'a'.repeat(2 * 1024 * 1024)}` }, /is larger than/],
    ['with a folder for a file', { 'a.yaml/b.yaml': 'key: a' }, /a\.yaml is not a file/],
  ])('%s is refused', async (_, files, problem) => {
    holding(files);
    const refused = await readCatalogueFolder(folder).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CatalogueFolderRefused);
    expect((refused as Error).message).toMatch(problem);
  });

  it('that is not there is refused', async () => {
    await expect(readCatalogueFolder(join(folder, 'nowhere'))).rejects.toThrow('cannot be read (ENOENT)');
  });

  it('of more than 510 files is refused', async () => {
    holding(Object.fromEntries(Array.from({ length: 511 }, (_, index) => [`${index}.yaml`, 'key: a'])));
    await expect(readCatalogueFolder(folder)).rejects.toThrow('more than 510');
  });
});

it.each<[string, string, unknown]>([
  ['an empty file', '', null],
  ['a tag of another language', 'key: !!js/function "x"', { key: 'x' }],
  ['a date', 'key: 2026-01-01', { key: '2026-01-01' }],
  ['the word no', 'key: no', { key: 'no' }],
])('%s is read as plain JSON', async (_, content, read) => {
  holding({ 'a.yaml': content });
  expect((await readCatalogueFolder(folder)).purposes).toEqual([read]);
});

it('a key that every object has stays a key, for the service to refuse', async () => {
  holding({ 'a.yaml': '__proto__: { sections: [] }\nconstructor: 1' });
  const [purpose] = (await readCatalogueFolder(folder)).purposes;
  expect(Object.keys(purpose!)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(purpose)).toBe(Object.prototype);
});

describe('a text with many brackets', () => {
  it.each([
    ['in quotes', `key: "${'['.repeat(500)}"`, '['.repeat(500)],
    ['without quotes', `key: a${'['.repeat(500)}`, `a${'['.repeat(500)}`],
    [
      'in lines of its own',
      `key: |-\n  ${'['.repeat(500)}\n  ${'-'.repeat(500)}`,
      `${'['.repeat(500)}\n${'-'.repeat(500)}`,
    ],
  ])('%s is a text', async (_, content, text) => {
    holding({ 'a.yaml': content });
    expect((await readCatalogueFolder(folder)).purposes).toEqual([{ key: text }]);
  });
});

describe('a folder with several bad files', () => {
  const GOOD = [
    'key: good',
    'legalBasis: CONSENT',
    'consentModel: OPT_IN',
    'category: ANALYTICS',
    'controller:',
    '  name: Shop',
    '  contact: privacy@shop.example',
    'defaultLocale: en',
    'translations:',
    '  en:',
    '    name: Good',
    '    description: Is good.',
  ];
  const purpose = (key: string, change: (lines: string[]) => string[] = (lines) => lines): string =>
    change([`key: ${key}`, ...GOOD.slice(1)]).join('\n');

  it('is answered with all that is wrong with all of them, each with its line', async () => {
    holding({
      'good.yaml': purpose('good'),
      'a.yaml': 'key: a\nname: [',
      'b.yaml': purpose('b', (lines) => [...lines.slice(0, 3), 'category: NICE', ...lines.slice(4), 'colour: red']),
      'purposes/c.yaml': purpose('c', (lines) => lines.map((line) => line.replace('CONSENT', 'CONTRACT'))),
      'purposes/d.yaml': purpose('good'),
      'template.yaml': 'defaultLocale: en\nsections:\n  - key: a\n    title:\n      en: A\n    fields: []',
    });
    const refused = await examineCatalogueFolder(folder).catch((error: unknown) => error as CatalogueFolderRefused);
    expect((refused as CatalogueFolderRefused).problems.map(({ file, line, path }) => [file, line, path])).toEqual([
      ['a.yaml', 2, ''],
      ['b.yaml', 4, 'category'],
      ['b.yaml', 13, 'colour'],
      ['purposes/c.yaml', 2, 'legalBasis'],
      ['purposes/d.yaml', 1, 'key'],
      ['template.yaml', 6, 'sections[0].fields'],
    ]);
  });

  it('names the line of what is missing by what should hold it', async () => {
    holding({ 'a.yaml': purpose('a', (lines) => lines.filter((line) => !line.includes('contact'))) });
    const refused = await examineCatalogueFolder(folder).catch((error: unknown) => error as CatalogueFolderRefused);
    expect((refused as CatalogueFolderRefused).problems).toEqual([
      { file: 'a.yaml', line: 5, path: 'controller.contact', message: expect.stringContaining('required') },
    ]);
  });

  it('that is good says where each place of the whole stands', async () => {
    holding({ 'a.yaml': purpose('a'), 'b.yaml': purpose('b') });
    const { placeOf } = await examineCatalogueFolder(folder);
    expect(placeOf('purposes[1].translations.en.name')).toEqual({
      file: 'b.yaml',
      line: 11,
      path: 'translations.en.name',
    });
    expect(placeOf('dryRun')).toBeNull();
  });
});
