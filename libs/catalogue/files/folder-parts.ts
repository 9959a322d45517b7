import type { DocumentKind } from '../document.js';
import { DOCUMENTS, type DocumentName } from '../documents.js';
import type { FileProblem, YamlFile } from './yaml-file.js';

/** A file that could be read. */
export type ReadFile = Extract<YamlFile, { problem: null }>;

/** The files of a folder, sorted by kind. */
export interface FolderParts {
  purposes: readonly ReadFile[];
  documents: ReadonlyMap<DocumentName, ReadFile>;
  /** Problems: second files of a document. */
  second: readonly FileProblem[];
}

export function parted(files: readonly YamlFile[]): FolderParts {
  const read = files.filter((file): file is ReadFile => file.problem === null);
  const documents = new Map<DocumentName, ReadFile>();
  const second: FileProblem[] = [];
  const purposes = read.filter((file) => {
    const kind = DOCUMENTS.find((each) => isOf(each, file));
    if (!kind) return true;
    const first = documents.get(kind.name);
    if (!first) documents.set(kind.name, file);
    else
      second.push({
        file: file.name,
        line: 1,
        path: '',
        message: `is a second ${kind.title}, beside ${first.name}`,
        fix: 'Leave one of them.',
      });
    return false;
  });
  return { purposes, documents, second };
}

/** Decides by the file's name, so that a mistyped document is not taken for a purpose; else by the mark of the kind. */
const isOf = ({ name: document, mark }: DocumentKind<string, string, never>, { name, content }: ReadFile): boolean =>
  name === `${document}.yaml` ||
  name === `${document}.yml` ||
  (mark !== undefined && typeof content === 'object' && content !== null && Object.hasOwn(content, mark));
