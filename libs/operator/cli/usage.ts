import type { Command, CommanderError } from 'commander';
import { WrongUsage, type Problem } from './failure.js';

/** Whether a call that may not even be understood asks for JSON. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
}

/** What is wrong with a call, or null where nothing is: help or the version was asked for. */
export function usageProblem(error: WrongUsage | CommanderError, called: Command): Problem | null {
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
  const [, message = error.message, meant] = /^error: (.*?)\.?(?:\n\((Did you mean .*)\))?$/s.exec(error.message) ?? [];
  return {
    code: 'usage',
    message: `${message[0]!.toUpperCase()}${message.slice(1)}.`,
    hint: meant ? `${meant} ${help}` : help,
    issues: [],
  };
}

/** The names from the program down to a command. */
export function pathOf(command: Command): string[] {
  return [...(command.parent ? pathOf(command.parent) : []), command.name()];
}
