import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { CommandFailed } from './failure.js';

/** A list stands one below the other. */
export type Cell = string | number | string[];
type Format = Parameters<typeof styleText>[0];
const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** One stream of the terminal, or whatever stands for it. */
export interface Sink {
  write(text: string | Uint8Array, written?: (error?: Error | null) => void): unknown;
  isTTY?: boolean;
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Where the command writes. With `--json` standard output holds exactly one JSON document, errors included. */
export class Show {
  json = false;
  /** What the command ends with where it could say what it had to say: 1 where that was bad news. */
  exitCode = 0;

  constructor(
    private readonly out: Sink,
    private readonly err: Sink,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** The result: as it is with `--json`, else in the words of `human`. */
  result(value: unknown, human: () => void): void {
    if (this.json) this.out.write(`${JSON.stringify(value, null, 2)}\n`);
    else human();
  }

  /** Whether a person reads the result, and no log file. */
  get isTerminal(): boolean {
    return this.out.isTTY === true;
  }

  /** Whatever it is, of any length, as it is; resolves when it can take more. */
  async write(chunk: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) => this.out.write(chunk, (error) => (error ? reject(error) : resolve())));
  }

  /** Calls back when the program that reads the output, such as `head`, has closed it. */
  onClosed(closed: () => void): void {
    this.out.on?.('error', (error) => {
      if (error.code === 'EPIPE') closed();
    });
  }

  /** What goes beside the result, where that takes the standard output. */
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

  usage(message: string): void {
    this.err.write(`${this.painted(this.err, 'red', 'usage:')} ${message}\n`);
  }

  /** Message, hint and the places. A place inside a file is shown with the name of the file. */
  failure({ problem, files }: CommandFailed): void {
    if (this.json) return void this.out.write(`${JSON.stringify(problem, null, 2)}\n`);
    const lines = [
      `${this.painted(this.err, 'red', `${printable(problem.code)}:`)} ${printable(problem.message)}`,
      printable(problem.hint),
    ];
    if (problem.issues.length > 0) {
      const ofFiles = Object.keys(files).length > 0;
      const rows = problem.issues.map(({ path, message }) =>
        ofFiles ? [...placeIn(files, path), message] : [path, message],
      );
      lines.push('', this.rendered(this.err, ofFiles ? ['FILE', 'PLACE', 'PROBLEM'] : ['PLACE', 'PROBLEM'], rows));
    }
    if (problem.requestId) lines.push('', this.painted(this.err, 'dim', `request ${printable(problem.requestId)}`));
    this.err.write(`${lines.join('\n')}\n`);
  }

  private rendered(sink: Sink, head: string[], rows: Cell[][]): string {
    const table = new Table({
      chars: NO_LINES,
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
      head: head.map((text) => this.painted(sink, 'bold', text)),
    });
    for (const row of rows)
      table.push(
        row.map((cell) =>
          [cell]
            .flat()
            .map((text) => printable(String(text)))
            .join('\n'),
        ),
      );
    return table.toString().replace(/ +$/gm, '');
  }

  private painted(sink: Sink, format: Format, text: string): string {
    return sink.isTTY && !this.env['NO_COLOR'] ? styleText(format, text) : text;
  }
}

/** What comes from elsewhere must not steer the terminal. */
// eslint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');

/** `purposes[3].controller.name` as the file of `purposes[3]` and `controller.name`. */
export function placeIn(files: Readonly<Record<string, string>>, path: string): [file: string, place: string] {
  const [, part, rest] = /^(purposes\[\d+\]|template)(?:\.(.*))?$/.exec(path) ?? [];
  const file = part === undefined ? undefined : files[part];
  return file === undefined ? ['', path] : [file, rest || '(whole file)'];
}
