import { Command } from 'commander';
import { describe, expect, it } from '@jest/globals';
import { examplesOf, GROUPS } from './examples.js';
import { addCommands, runCommandLine, withSubcommands } from './program.js';
import type { Surroundings } from './surroundings.js';
import { pathOf } from './usage.js';

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Of calls that reach neither service nor engines. */
async function run(args: string[], columns?: number): Promise<Ran> {
  const ran = { out: '', err: '' };
  const sink = (to: 'out' | 'err') => ({
    write: (text: string | Uint8Array): void => void (ran[to] += String(text)),
    ...(columns !== undefined && { isTTY: true, columns }),
  });
  const code = await runCommandLine(
    args,
    { NO_COLOR: '1' },
    { stdout: sink('out'), stderr: sink('err') },
    { version: '1.2.3', release: () => Promise.reject(new Error('no command needs the engines')) },
  );
  return { code, ...ran };
}

function tree(): Command {
  const program = new Command('assent');
  addCommands(program, {} as Surroundings);
  return program;
}
const commands = withSubcommands(tree());
const leaves = commands.filter(({ commands: below }) => below.length === 0);

describe('the id of a signing key', () => {
  // One in 64 begins so.
  const id = '-iFYzioBGW-uPxWpUeVUsxKB0Z1W3LQm0y6c0_4hPiE';

  it.each([
    ['alone', [id]],
    ['before an option', [id, '--reason', 'tried']],
    ['behind one', ['--reason', 'tried', id]],
    ['behind the end of the options', ['--reason', 'tried', '--', id]],
  ])('is no option where it begins like one, %s', async (_, args) => {
    const { code, err } = await run(['--url', 'http://127.0.0.1:1', '--token', 'x', 'keys', 'revoke-signing', ...args]);
    // The id was understood, and no server answers at that address.
    expect([code, err]).toEqual([1, expect.stringContaining('127.0.0.1:1')]);
  });
});

describe('help', () => {
  it('asks what one wants to do where nothing is said, with commands that there are, in 80 columns', async () => {
    const { code, out, err } = await run([]);
    expect([code, err, out.split('\n')[0]]).toEqual([0, '', 'What do you want to know or do?']);
    const calls = [...out.matchAll(/^ {2}assent ((?:[a-z]+ ?)+)/gm)].map(([, call]) => call!.trim().split(' '));
    expect(calls).toHaveLength(5);
    for (const call of calls) expect((await run([...call, '--help'])).code).toBe(0);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('lists every command under a title', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const [name, title] of Object.entries(GROUPS)) {
      expect(out).toContain(`\n${title}\n`);
      expect(out).toMatch(new RegExp(`^  ${name}[ \\n]`, 'm'));
    }
    expect(
      tree()
        .commands.map((command) => command.name())
        .sort(),
    ).toEqual(Object.keys(GROUPS).sort());
  });

  it.each(leaves.map((command) => [pathOf(command).join(' ')]))('of %s has an example, and fits', async (path) => {
    const { code, out, err } = await run([...path.split(' ').slice(1), '--help']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('\nExamples:\n');
    for (const line of out.split('\n').filter((each) => !each.startsWith('  assent ')))
      expect(line.length).toBeLessThanOrEqual(100);
    expect(out).toContain('--json');
  });

  it.each(leaves.flatMap((command) => examplesOf(pathOf(command).join(' ')).map((example) => [example])))(
    'shows calls that are right: %s',
    async (example) => {
      const [, call] = /(assent [^|<>)]*)/.exec(example)!;
      const words = [...call!.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
      const program = tree();
      let called: Command | null = null;
      for (const command of withSubcommands(program))
        command.exitOverride().configureOutput({ writeErr: () => undefined });
      for (const command of withSubcommands(program))
        if (command.commands.length === 0) command.action(() => void (called = command));
      await program.parseAsync(words.slice(1), { from: 'user' });
      expect(pathOf(called!).join(' ')).toBe(words.slice(0, pathOf(called!).length).join(' '));
    },
  );
});

describe('a call that is wrong', () => {
  it.each<[string[], string, string]>([
    [['sitse', 'list'], "Unknown command 'sitse'.", 'Did you mean sites? See: assent --help'],
    [['sites', 'lst'], "Unknown command 'lst'.", 'Did you mean list? See: assent sites --help'],
    [['sites', 'list', '--jsn'], "Unknown option '--jsn'.", 'Did you mean --json? See: assent sites list --help'],
    [
      ['keys', 'issue', '--type', 'sk'],
      "Required option '--name <name>' not specified.",
      'See: assent keys issue --help',
    ],
    [
      ['keys', 'issue', '--types', 'pk', '--name', 'a'],
      "Unknown option '--types'.",
      'Did you mean --type? See: assent keys issue --help',
    ],
    [
      ['keys', 'list', 'demo'],
      "Too many arguments for 'list'. Expected 0 arguments but got 1.",
      'The site is named by --site <site>. See: assent keys list --help',
    ],
    ...['add', 'remove'].map((verb): [string[], string, string] => [
      ['sites', 'origins', verb, 'demo', 'http://localhost:8080'],
      'demo is no origin, such as https://shop.example.',
      'Name a site by --site demo.',
    ]),
    [
      ['keys', 'list', '--env', 'prod'],
      "Option '--env <env>' argument 'prod' is invalid. Allowed choices are test, live.",
      'See: assent keys list --help',
    ],
    [['catalogue', 'apply'], "Missing required argument 'folder'.", 'See: assent catalogue apply --help'],
    [['data-role'], 'assent data-role needs one of its commands: create, list, drop.', 'See: assent data-role --help'],
    [
      ['sites', 'register', 'a', '--name', 'A', '--pk-limit', 'much'],
      'A limit is calls per second and calls at once, such as 50/150; "much" is not.',
      'See: assent --help',
    ],
  ])('%j is refused in words, and as JSON', async (args, message, hint) => {
    const words = await run(args);
    expect([words.code, words.out]).toEqual([2, '']);
    // A group that was called alone shows its help, which says the same.
    if (args.length > 1) expect(words.err).toBe(`usage: ${message}\n${hint}\n`);
    else expect(words.err).toContain('Usage: assent data-role');
    for (const json of [
      [...args, '--json'],
      ['--json', ...args],
    ]) {
      const answered = await run(json);
      expect([answered.code, answered.err]).toEqual([2, '']);
      expect(JSON.parse(answered.out)).toEqual({ code: 'usage', message, hint, issues: [] });
    }
  });

  it('is not taken for one that asks for JSON where that is the value of an option', async () => {
    const { code, out, err } = await run(['--url', 'nonsense', '--token', '--json', 'sites', 'list']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('The address of the service must look like');
  });
});
