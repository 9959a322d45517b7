import type { Issue } from '../../kernel/index.js';

/** The exit codes of the command. */
export const EXIT = { ok: 0, failed: 1, usage: 2, differs: 3, someRejected: 4, notScanned: 5 } as const;

/** Where something is wrong; of a file also its name, the line, and what to do where `message` does not say it. */
export interface Place extends Issue {
  file?: string;
  line?: number;
  fix?: string;
}

/** A problem as it is shown: the error body of the service, or one of the command's own in the same shape. */
export interface Problem {
  code: string;
  message: string;
  hint: string;
  issues: Place[];
  requestId?: string;
  docUrl?: string;
}

/** How the service refused a request. */
export interface RefusedAnswer {
  status: number;
  /** Of its `Retry-After`; null where it named none. */
  retryAfterSeconds: number | null;
}

/** Ends the command with exit code 1, or another that says more. */
export class CommandFailed extends Error {
  constructor(
    readonly problem: Problem,
    readonly exitCode: number = EXIT.failed,
    /** Of a refusal of the service; undefined where it is the command's own. */
    readonly answer?: RefusedAnswer,
  ) {
    super(problem.message);
    this.name = 'CommandFailed';
  }
}

/** Ends the command with exit code 2, for a wrong call. */
export class WrongUsage extends Error {
  constructor(
    message: string,
    /** How it is done right; left out: the help says so. */
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'WrongUsage';
  }
}

export const failed = (code: string, message: string, hint: string): CommandFailed =>
  new CommandFailed({ code, message, hint, issues: [] });
