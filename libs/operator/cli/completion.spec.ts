import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from './program.js';
import type { Shell } from './completion.js';

/** Scripts are made by the command itself, for its own commands. */
async function script(shell: Shell): Promise<string> {
  let written = '';
  const out = {
    write: (text: string | Uint8Array, done?: () => void): void => {
      written += String(text);
      done?.();
    },
  };
  const code = await runCommandLine(
    ['completion', shell],
    {},
    { stdout: out, stderr: out },
    { version: '1.2.3', release: () => Promise.reject(new Error('a completion needs no engines')) },
  );
  expect(code).toBe(0);
  return written;
}

const isThere = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-completion-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('completion in bash', () => {
  /** What pressing Tab behind this line offers. */
  const offered = async (line: string, by = '_assent'): Promise<string[]> => {
    const file = join(folder, 'completion.bash');
    writeFileSync(file, await script('bash'));
    const { stdout, stderr } = spawnSync('bash', [
      '--norc',
      '-euc',
      `source "$1"; read -ra COMP_WORDS <<< "$2"; [[ $2 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); ${by}; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      file,
      line,
    ]);
    expect(String(stderr)).toBe('');
    return String(stdout).split('\n').filter(Boolean).sort();
  };

  it.each([
    ['assent cat', ['catalogue']],
    [
      'assent catalogue ',
      [
        '--help',
        '--json',
        'apply',
        'diff',
        'draft',
        'export',
        'preview',
        'publish',
        'settings',
        'simulate',
        'types',
        'versions',
      ],
    ],
    ['assent sites origins ', ['--help', '--json', 'add', 'remove']],
    ['assent --url https://x.example sites or', ['origins']],
    ['assent keys issue --site sites --env ', ['live', 'test']],
    ['assent keys issue --env l', ['live']],
    ['assent keys rotate key_1 --overlap 2', ['24h']],
    ['assent completion ', ['--help', '--json', 'bash', 'fish', 'zsh']],
    ['assent catalogue apply --dr', ['--dry-run']],
    // Anything may follow: files are offered instead.
    ['assent --token-file ', []],
    ['assent catalogue apply pur', []],
  ])('offers for "%s"', async (line, expected) => expect(await offered(line)).toEqual(expected));

  it.each([
    ['npx assent cat', ['catalogue']],
    ['npx assent sites origins ', ['--help', '--json', 'add', 'remove']],
    ['npx assent keys issue --env l', ['live']],
    ['npx other ', []],
    ['npx ass', []],
  ])('offers for "%s", as the documentation calls it', async (line, expected) =>
    expect(await offered(line, '_assent_npx')).toEqual(expected),
  );

  it('is what a shell takes up', async () => {
    const { stdout } = spawnSync('bash', [
      '--norc',
      '-euc',
      'eval "$1"; complete -p assent npx',
      'bash',
      await script('bash'),
    ]);
    expect(String(stdout)).toBe('complete -o default -F _assent assent\ncomplete -o default -F _assent_npx npx\n');
  });
});

/** What is offered behind `assent --url x sites origins `; zsh itself only hands the words over. */
const ASKED = {
  fish: `complete -C 'assent --url x sites origins '`,
  zsh: `_describe() { print -l -- \${(P)2%%:*} | grep -v '^-'; }; words=(assent --url x sites origins ''); CURRENT=6; _assent`,
} as const;

/** The same behind `npx assent`. */
const AS_NPX = {
  fish: ASKED.fish.replace("'assent", "'npx assent"),
  zsh: ASKED.zsh.replace('(assent', '(npx assent').replace('CURRENT=6', 'CURRENT=7'),
} as const;

describe.each(['zsh', 'fish'] as const)('completion in %s', (shell) => {
  it('names every command, and is taken by the shell where there is one', async () => {
    const text = await script(shell);
    for (const name of ['catalogue', 'origins', 'rotate-master', 'data-role', 'completion'])
      expect(text).toContain(name);
    // Quotes that did not match would swallow the rest of the script.
    expect(text.split(/(?<!\\)'/).length % 2).toBe(1);
    if (!isThere(shell)) return;
    const file = join(folder, `completion.${shell}`);
    writeFileSync(file, text);
    const { status, stderr } = spawnSync(shell, ['-n', file]);
    expect([status, String(stderr)]).toEqual([0, '']);
    for (const asked of [ASKED[shell], AS_NPX[shell]]) {
      const tried = spawnSync(shell, ['-c', `source ${file}; ${asked}`]);
      expect(String(tried.stdout)).toMatch(/^add(\t.*)?\nremove(\t.*)?\n$/);
    }
  });
});
