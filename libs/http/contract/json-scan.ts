/** Objects and arrays inside each other, the outermost counted. */
export const JSON_DEPTH_MAX = 10;

/** Where and why a text is refused as JSON. `at` counts UTF-16 units from 0. */
export interface JsonFault {
  at: number;
  reason: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;

class Stop extends Error {
  constructor(
    readonly at: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/**
 * Reads JSON text once, before `JSON.parse` builds anything: strict grammar, bounded depth, no key twice in an object
 * (readers disagree on which one counts), no number beyond what a double holds. Linear, and stops at the first fault,
 * so that a hundred thousand brackets cost eleven. Null where all is well.
 */
export function scanJson(text: string): JsonFault | null {
  const scan = new Scan(text);
  try {
    scan.document();
    return null;
  } catch (error) {
    if (error instanceof Stop) return { at: error.at, reason: error.reason };
    throw error;
  }
}

class Scan {
  private at = 0;
  constructor(private readonly text: string) {}

  document(): void {
    this.value(0);
    if (this.at < this.text.length) this.stop('there is something after the end of the value');
  }

  private value(depth: number): void {
    this.space();
    const first = this.text[this.at];
    if (first === '{' || first === '[') {
      if (depth >= JSON_DEPTH_MAX) this.stop(`it is nested deeper than ${JSON_DEPTH_MAX} levels`);
      if (first === '{') this.object(depth + 1);
      else this.array(depth + 1);
    } else if (first === '"') this.string();
    else if (first === 't') this.word('true');
    else if (first === 'f') this.word('false');
    else if (first === 'n') this.word('null');
    else this.number();
    this.space();
  }

  private object(depth: number): void {
    this.at++;
    this.space();
    if (this.take('}')) return;
    const keys = new Set<string>();
    do {
      this.space();
      const from = this.at;
      if (this.text[from] !== '"') this.stop('a key in double quotes is expected');
      const raw = this.string();
      const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
      if (keys.has(key)) this.stop('a key occurs twice in one object', from);
      keys.add(key);
      this.space();
      if (!this.take(':')) this.stop('a colon is expected');
      this.value(depth);
    } while (this.take(','));
    if (!this.take('}')) this.stop('a comma or a closing brace is expected');
  }

  private array(depth: number): void {
    this.at++;
    this.space();
    if (this.take(']')) return;
    do this.value(depth);
    while (this.take(','));
    if (!this.take(']')) this.stop('a comma or a closing bracket is expected');
  }

  private string(): string {
    const from = this.at;
    let end = from + 1;
    for (; end < this.text.length; end++) {
      const unit = this.text.charCodeAt(end);
      if (unit === 0x22) break;
      if (unit === 0x5c) end++;
      else if (unit < 0x20) this.stop('a control character in a string must be escaped', end);
    }
    if (end >= this.text.length) this.stop('a string is not closed', this.text.length);
    const raw = this.text.slice(from, end + 1);
    if (raw.includes('\\')) this.escapes(raw, from);
    this.at = end + 1;
    return raw;
  }

  private escapes(raw: string, from: number): void {
    for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', at + 2)) {
      const kind = raw[at + 1]!;
      if (kind === 'u' ? !/^[0-9a-fA-F]{4}$/.test(raw.slice(at + 2, at + 6)) : !'"\\/bfnrt'.includes(kind))
        this.stop('a string holds an unknown escape', from + at);
    }
  }

  private number(): void {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text)?.[0];
    if (found === undefined) this.stop(this.at >= this.text.length ? 'it ends too early' : 'a value is expected');
    if (!Number.isFinite(Number(found))) this.stop('a number is too large');
    this.at += found!.length;
  }

  private word(word: string): void {
    if (!this.text.startsWith(word, this.at)) this.stop('a value is expected');
    this.at += word.length;
  }

  private space(): void {
    const unit = this.text.charCodeAt(this.at);
    if (unit > 0x20 || this.at >= this.text.length) return;
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = SPACE.lastIndex;
  }

  private take(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private stop(reason: string, at = this.at): never {
    throw new Stop(at, reason);
  }
}
