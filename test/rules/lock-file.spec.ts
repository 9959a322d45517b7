import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Names = Record<string, string>;
interface Entry {
  version?: string;
  license?: string;
  dev?: boolean;
  resolved?: string;
  integrity?: string;
  funding?: unknown;
  dependencies?: Names;
  devDependencies?: Names;
  optionalDependencies?: Names;
}
type Packages = Record<string, Entry>;

const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const declared = read('package.json') as Entry;
const { packages } = read('package-lock.json') as { packages: Packages };

/** Licences that ask for nothing but their text and their notices. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
];

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/** What the two files disagree on. */
function outOfStep(manifest: Entry, locked: Packages): string[] {
  const root = locked[''] ?? {};
  return KINDS.flatMap((kind) => {
    const wanted = manifest[kind] ?? {};
    const names = new Set([...Object.keys(wanted), ...Object.keys(root[kind] ?? {})]);
    return [...names].filter(
      (name) => root[kind]?.[name] !== wanted[name] || locked[`node_modules/${name}`]?.version !== wanted[name],
    );
  });
}

/** Names that an entry asks for and Node's look-up, folder by folder upwards, does not find in the lock file. */
function withoutEntry(locked: Packages): string[] {
  const isThere = (from: string, name: string): boolean => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
      if (locked[`${at && `${at}/`}node_modules/${name}`]) return true;
      if (at === '') return false;
    }
  };
  return Object.entries(locked).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isThere(path, name))
      .map((name) => `${path || 'package.json'} wants ${name}`),
  );
}

/** Where authors ask for money is an address too; npm shows it and never fetches it. */
function withAddress(locked: Packages): string[] {
  return Object.entries(locked)
    .filter(([, { funding: _, ...entry }]) => /"resolved"|\w:\/\//.test(JSON.stringify(entry)))
    .map(([path]) => path);
}

/** Reads SPDX: `MIT`, `(MIT OR GPL-3.0)`, `MIT AND ISC`. */
function isAllowed(license: string): boolean {
  return license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ALLOWED.includes(one.trim())));
}

/** Some old packages name their licence in a form that npm does not copy into the lock file. */
function licenseOf(path: string, { license }: Entry): string {
  if (license !== undefined) return license;
  if (!existsSync(join(ROOT, path, 'package.json'))) return 'unknown';
  const { licenses = [] } = read(join(path, 'package.json')) as { licenses?: { type: string }[] };
  return licenses.map(({ type }) => type).join(' OR ') || 'unknown';
}

describe('package-lock.json', () => {
  it('is in step with package.json, which names exact versions', () => {
    expect(outOfStep(declared, packages)).toEqual([]);
    expect(outOfStep({ ...declared, dependencies: { ...declared.dependencies, pg: '1.2.3' } }, packages)).toEqual([
      'pg',
    ]);
    expect(outOfStep({ ...declared, optionalDependencies: {} }, packages).sort()).toEqual(
      Object.keys(declared.optionalDependencies ?? {}).sort(),
    );
  });

  it('has an entry for every package it names, those for other systems included', () => {
    expect(withoutEntry(packages)).toEqual([]);
    const { 'node_modules/@swc/core-darwin-arm64': _, ...rest } = packages;
    expect(withoutEntry(rest)).toEqual(['node_modules/@swc/core wants @swc/core-darwin-arm64']);
  });

  it('names no address: whoever installs takes the packages from the registry of their choice', () => {
    expect(withAddress(packages)).toEqual([]);
    expect(
      withAddress({
        'node_modules/pg': { resolved: 'https://registry.example/pg-8.0.0.tgz' },
        'node_modules/ours': { version: 'git+ssh://git.example/ours' },
      }),
    ).toEqual(['node_modules/pg', 'node_modules/ours']);
  });

  it('has a checksum for everything', () => {
    expect(
      Object.entries(packages)
        .filter(([path, { integrity }]) => path !== '' && !integrity)
        .map(([path]) => path),
    ).toEqual([]);
  });

  it('brings nothing into production whose licence asks for more than to be named', () => {
    const others = Object.entries(packages).filter(
      ([path, entry]) => path !== '' && !entry.dev && !isAllowed(licenseOf(path, entry)),
    );
    expect(others.map(([path, entry]) => `${path}: ${licenseOf(path, entry)}`)).toEqual([]);
    expect(
      ['MIT', '(MIT OR GPL-3.0-only)', '(BSD-3-Clause AND Apache-2.0)'].filter((license) => !isAllowed(license)),
    ).toEqual([]);
    expect(['GPL-3.0-only', 'MIT AND SSPL-1.0', 'UNLICENSED', 'unknown', ''].filter(isAllowed)).toEqual([]);
  });
});
