import { compile } from '../../http/contract/fields.js';
import { purposeContradictions } from '../decide.js';
import { DOCUMENT_FILES } from './document-files.js';
import { PurposeFileDto } from '../dto.js';
import { filesOf } from './files-of-input.js';
import type { FolderParts, ReadFile } from './folder-parts.js';
import type { FileProblem } from './yaml-file.js';

/** Problems of each file by itself, and of purposes that contradict themselves or each other. */
export function problemsOf({ purposes, documents }: FolderParts): FileProblem[] {
  const malformed = [
    ...purposes.map((file) => ofFile(file, compile(PurposeFileDto)(file.content))),
    ...[...documents].map(([name, file]) => ofFile(file, compile(DOCUMENT_FILES[name].contract)(file.content))),
  ].flat();
  const bad = new Set(malformed.map(({ file }) => file));
  const good = purposes.filter(({ name }) => !bad.has(name));
  const { purposes: definitions } = filesOf({ purposes: good.map(({ content }) => content as PurposeFileDto) });
  const contradictions = definitions.flatMap((definition, index) =>
    ofFile(
      good[index]!,
      purposeContradictions(definition, index, definitions).map(({ path, message }) => ({
        path: path.slice(`purposes[${index}].`.length),
        message,
      })),
    ),
  );
  return [...malformed, ...contradictions];
}

const ofFile = ({ name, lineOf }: ReadFile, issues: readonly { path: string; message: string }[]): FileProblem[] =>
  issues.map(({ path, message }) => ({ file: name, line: lineOf(path), path, message }));
