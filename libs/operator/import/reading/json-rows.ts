import { readable, ROW_LENGTH_MAX, TOO_LONG, type FileRow, type RowReader } from './file-rows.js';

/** Rows of JSON Lines: one object in each line. */
export class JsonRows implements RowReader {
  readonly header = null;
  private text = '';
  private line = 0;
  /** Of a line that is too long only the beginning is held. */
  private cutOff = false;

  rows(part: string): FileRow[] {
    const lines = (this.text + part).split('\n');
    this.text = lines.pop()!;
    const found = lines.flatMap((line) => this.rowOf(line));
    if (this.text.length > ROW_LENGTH_MAX) {
      this.text = this.text.slice(0, ROW_LENGTH_MAX);
      this.cutOff = true;
    }
    return found;
  }

  rest(): FileRow[] {
    const [text, rest] = [this.text, ''];
    this.text = rest;
    return this.rowOf(text);
  }

  private rowOf(text: string): FileRow[] {
    this.line++;
    const raw = text.trim();
    const isCut = this.cutOff || raw.length > ROW_LENGTH_MAX;
    this.cutOff = false;
    if (raw === '') return [];
    if (isCut) return [{ line: this.line, raw: raw.slice(0, ROW_LENGTH_MAX), content: null, fault: TOO_LONG }];
    return [readable({ line: this.line, raw, ...contentOf(raw) })];
  }
}

function contentOf(raw: string): Pick<FileRow, 'content' | 'fault'> {
  let content: unknown;
  try {
    content = JSON.parse(raw);
  } catch (error) {
    return { content: null, fault: `is no JSON (${(error as Error).message}): write one object in each line` };
  }
  return typeof content === 'object' && content !== null && !Array.isArray(content)
    ? { content: content as Record<string, unknown> }
    : { content: null, fault: 'is JSON, and no object: write one object in each line, without a list around them' };
}
