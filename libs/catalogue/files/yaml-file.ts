import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, type Document, type Node } from 'yaml';

/** A published purpose is one event of at most 800,000 bytes; its file is little larger. */
const MOST_BYTES = 2 * 1024 * 1024;
/** Most open brackets. */
const DEEPEST = 64;

/** A problem in a file. */
export interface FileProblem {
  /** Its name in the folder. */
  file: string;
  /** From 1; null: the file as a whole. */
  line: number | null;
  /** Place in the file, such as `translations.en.name`; empty: the file as a whole. */
  path: string;
  message: string;
  /** What to do, if the message does not say it. */
  fix?: string;
}

/** A file's content, or why it cannot be read. */
export type YamlFile =
  | { name: string; problem: FileProblem }
  | { name: string; problem: null; content: unknown; lineOf: (path: string) => number | null };

/** Never rejects, so that problems of all files can be shown together. */
export async function readYamlFile(folder: string, name: string): Promise<YamlFile> {
  const bad = (message: string, fix: string, line: number | null = null): YamlFile => ({
    name,
    problem: { file: name, line, path: '', message, fix },
  });
  try {
    const found = await stat(join(folder, name));
    if (!found.isFile()) return bad('is not a file', 'Remove it, or give it another name.');
    if (found.size > MOST_BYTES) return bad(`is larger than ${MOST_BYTES} bytes`, 'Put one purpose into each file.');
    return parsed(name, await readFile(join(folder, name), 'utf8'), bad);
  } catch (error) {
    return bad(`cannot be read (${(error as NodeJS.ErrnoException).code})`, 'Look at its rights.');
  }
}

function parsed(
  name: string,
  text: string,
  bad: (message: string, fix: string, line?: number | null) => YamlFile,
): YamlFile {
  if (isDeep(text)) return bad('is nested too deeply', 'A purpose or template needs ten levels at most.');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const [error] = document.errors;
  if (error)
    return bad(
      `is not YAML: ${error.message.split('\n', 1)[0]!.replace(/ at line \d+, column \d+:?$/, '')}`,
      FIXES[error.code] ?? 'Indent with spaces, and put texts with special characters into quotes.',
      error.linePos?.[0].line ?? null,
    );
  try {
    const content: unknown = document.toJS({ maxAliasCount: 100 });
    // An alias can refer to its own parent.
    JSON.stringify(content);
    return { name, problem: null, content, lineOf: (path) => lineOf(document, path, lineCounter) };
  } catch (error) {
    // An unknown alias, and too many aliases, are a ReferenceError.
    return error instanceof ReferenceError
      ? bad(`is not YAML: ${error.message}`, 'Write out what the alias stands for.')
      : bad('holds an alias that refers to itself', 'Write out what the alias stands for.');
  }
}

const FIXES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'Leave one of the two.',
  MULTIPLE_DOCS: 'Put each document into a file of its own.',
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_INDENT: 'Give everything of one level the same indentation.',
  MISSING_CHAR: 'Close what was opened.',
  BAD_ALIAS: 'Write out what the alias stands for.',
};

/**
 * Counts brackets outside texts. The parser recurses, and thousands of levels end the process instead of throwing.
 * Files need ten.
 */
function isDeep(text: string): boolean {
  const bones: string[] = [];
  let isText = false;
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    if (isText || QUOTED.test(token)) bones.push('x');
    else if (!MARKS.includes(token)) {
      bones.push(token);
      if (token === '[' || token === '{') depth++;
      else if (token === ']' || token === '}') depth--;
      if (depth > DEEPEST) return true;
    }
    isText = token === TEXT_FOLLOWS;
  }
  return /^[ \t?:-]{200}/m.test(bones.join(''));
}

/** The lexer writes this before a text without quotes. */
const TEXT_FOLLOWS = '\u001f';
/** Tokens of the lexer without text: a document or a flow ends or begins. */
const MARKS = [TEXT_FOLLOWS, '\u0002', '\u0018'];
const QUOTED = /^["']/;

/** The line of a place, or of its nearest existing parent; null if the file is empty. */
function lineOf(document: Document, path: string, lines: LineCounter): number | null {
  let node = document.contents as Node | null;
  let at = node?.range?.[0] ?? null;
  for (const [, name, index, quoted] of path.matchAll(/([^.[\]"]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g)) {
    if (isAlias(node)) node = (node.resolve(document) as Node | undefined) ?? null;
    let next: Node | null = null;
    if (index !== undefined && isSeq(node)) {
      next = node.items[Number(index)] as Node | null;
      at = next?.range?.[0] ?? at;
    } else if (isMap(node)) {
      const key = name ?? quoted;
      const pair = node.items.find((each) => isScalar(each.key) && String(each.key.value) === key);
      at = (pair?.key as Node | undefined)?.range?.[0] ?? at;
      next = (pair?.value as Node | null | undefined) ?? null;
    }
    if (!next) break;
    node = next;
  }
  return at === null ? null : lines.linePos(at).line;
}
