import type { Command, CommanderError } from 'commander';
import { nearest } from '../../kernel/index.js';
import { WrongUsage, type Problem } from './failure.js';

/** Whether a call asks for JSON, also where the rest of it is wrong. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
}

/** What is wrong with a call, or null where nothing is: help or the version was asked for. */
export function usageProblem(
  error: WrongUsage | CommanderError,
  called: Command,
  args: readonly string[],
): Problem | null {
  const path = pathOf(called).join(' ');
  const help = `See: ${path} --help`;
  if (error instanceof WrongUsage)
    return { code: 'usage', message: error.message, hint: error.hint ?? help, issues: [] };
  if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') return null;
  if (error.code === 'commander.help')
    return {
      code: 'usage',
      message: `${path} needs one of its commands: ${called.commands.map((each) => each.name()).join(', ')}.`,
      hint: help,
      issues: [],
    };
  // For a misspelt required option commander says only that the right one is missing.
  const unknown = error.code === 'commander.missingMandatoryOptionValue' ? unknownOption(called, args) : null;
  if (unknown) {
    const meant = nearest(unknown.flag, unknown.known);
    const hint = meant ? `Did you mean ${meant}? ${help}` : help;
    return { code: 'usage', message: `Unknown option '${unknown.flag}'.`, hint, issues: [] };
  }
  const [, message = error.message, meant] = /^error: (.*?)\.?(?:\n\((Did you mean .*)\))?$/s.exec(error.message) ?? [];
  return {
    code: 'usage',
    message: `${message[0]!.toUpperCase()}${message.slice(1)}.`,
    hint: [meant, error.code === 'commander.excessArguments' && siteByOption(called), help].filter(Boolean).join(' '),
    issues: [],
  };
}

/** A message for a command that takes its site by an option; null where it takes none. */
const siteByOption = ({ options }: Command): string | null =>
  options.some(({ long }) => long === '--site') ? 'The site is named by --site <site>.' : null;

/** The first option that neither the command nor its parents have, and the options that they have. */
function unknownOption(called: Command, args: readonly string[]): { flag: string; known: Set<string> } | null {
  const known = new Set(['--help', '--version']);
  for (let command: Command | null = called; command; command = command.parent)
    for (const { long } of command.options) known.add(long!);
  const end = args.indexOf('--');
  const flag = (end < 0 ? args : args.slice(0, end))
    .map((each) => each.split('=')[0]!)
    .find((each) => each.startsWith('--') && !known.has(each));
  return flag === undefined ? null : { flag, known };
}

/** The names from the program down to a command. */
export function pathOf(command: Command): string[] {
  return [...(command.parent ? pathOf(command.parent) : []), command.name()];
}
