import { styleText } from 'node:util';
import type { CommandFailed, Problem } from './failure.js';
import { printable, renderedTable, type Cell, type Format, type Painted } from './table.js';

export type { Cell } from './table.js';

/** Columns of text where the output is no terminal: a log file, a pipe. */
const WIDTH = 100;

/** One output stream: a terminal, a file or a pipe. */
export interface Sink {
  write(text: string | Uint8Array, written?: (error?: Error | null) => void): unknown;
  isTTY?: boolean;
  /** Columns of text of a terminal. */
  columns?: number;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Where the command writes. With `--json` standard output holds exactly one JSON document, errors included. */
export class Show {
  json = false;
  /** Exit code of a command that ran to its end: 1 where it reports a problem. */
  exitCode = 0;

  constructor(
    private readonly out: Sink,
    private readonly err: Sink,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Shows the result: as JSON with `--json`, else in the words of `human`. */
  result(value: unknown, human: () => void): void {
    if (this.json) this.out.write(`${JSON.stringify(value, null, 2)}\n`);
    else human();
  }

  /** Whether a person reads the result, and no log file. */
  get isTerminal(): boolean {
    return this.out.isTTY === true;
  }

  /** Writes text of any length unchanged; resolves when the stream can take more. */
  async write(chunk: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) => this.out.write(chunk, (error) => (error ? reject(error) : resolve())));
  }

  /** Calls back when the program that reads the output, such as `head`, has closed it. */
  onClosed(closed: () => void): void {
    this.out.on?.('error', (error) => {
      if (error.code === 'EPIPE') closed();
    });
  }

  /** Writes remarks to standard error, where the result takes the standard output. */
  note(text: string): void {
    this.err.write(`${text}\n`);
  }

  line(text: string): void {
    this.out.write(`${text}\n`);
  }

  table(head: string[], rows: Cell[][]): void {
    this.line(this.rendered(this.out, head, rows));
  }

  paint(format: Format, text: string): string {
    return this.painted(this.out, format, text);
  }

  /** For a cell of a table. */
  coloured(format: Format, text: string): Painted {
    return { format, text };
  }

  /** Shows a wrong call: what is wrong, and how to call the command. */
  usage(problem: Problem): void {
    if (this.json) return void this.out.write(`${JSON.stringify(problem, null, 2)}\n`);
    const { message, hint } = problem;
    this.err.write(`${this.painted(this.err, 'red', 'usage:')} ${printable(message)}\n${printable(hint)}\n`);
  }

  /** Shows a problem: message, hint and places, those in files with their lines. */
  failure({ problem }: CommandFailed): void {
    if (this.json) return void this.out.write(`${JSON.stringify(problem, null, 2)}\n`);
    const lines = [
      `${this.painted(this.err, 'red', `${printable(problem.code)}:`)} ${printable(problem.message)}`,
      printable(problem.hint),
    ];
    if (problem.issues.length > 0) {
      const ofFiles = problem.issues.some(({ file }) => file !== undefined);
      const rows = problem.issues.map(({ file, line, path, message, fix }): Cell[] => {
        const what = fix === undefined ? message : [message, fix];
        return ofFiles ? [line === undefined ? (file ?? '') : `${file}:${line}`, path, what] : [path, what];
      });
      lines.push('', this.rendered(this.err, ofFiles ? ['FILE', 'PLACE', 'PROBLEM'] : ['PLACE', 'PROBLEM'], rows));
    }
    if (problem.requestId) lines.push('', this.painted(this.err, 'dim', `request ${printable(problem.requestId)}`));
    this.err.write(`${lines.join('\n')}\n`);
  }

  private rendered(sink: Sink, head: string[], rows: Cell[][]): string {
    // In a pipe each problem is one line, like a compiler's, so that it can be searched.
    const width = sink.isTTY ? (sink.columns ?? WIDTH) : sink === this.err ? Infinity : WIDTH;
    return renderedTable(head, rows, width, (format, text) => this.painted(sink, format, text));
  }

  private painted(sink: Sink, format: Format, text: string): string {
    return sink.isTTY && !this.env['NO_COLOR'] && this.env['TERM'] !== 'dumb' ? styleText(format, text) : text;
  }
}
