import type { Issue } from '../../kernel/index.js';

/** The exit codes of the command. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** A problem as it is shown: the error body of the service, or one of the command's own in the same shape. */
export interface Problem {
  code: string;
  message: string;
  hint: string;
  issues: Issue[];
  requestId?: string;
  docUrl?: string;
}

/** Ends the command with exit code 1. `files`: of each part of the body that came from a file, such as `purposes[0]`, its name. */
export class CommandFailed extends Error {
  files: Readonly<Record<string, string>> = {};

  constructor(readonly problem: Problem) {
    super(problem.message);
    this.name = 'CommandFailed';
  }
}

/** Ends the command with exit code 2: it was called wrongly. */
export class WrongUsage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongUsage';
  }
}

export const failed = (code: string, message: string, hint: string): CommandFailed =>
  new CommandFailed({ code, message, hint, issues: [] });
