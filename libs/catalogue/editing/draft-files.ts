import { compile } from '../../http/contract/fields.js';
import { canonicalJson, isRefusal, type Instant, type Issue } from '../../kernel/index.js';
import { applyCatalogue } from '../decide.js';
import { DOCUMENTS, type DocumentName } from '../documents.js';
import { PurposeFileDto, type CatalogueFolderDto } from '../dto.js';
import { DOCUMENT_FILES } from '../files/document-files.js';
import { filesOf } from '../files/files-of-input.js';
import type { CatalogueState } from '../state.js';

/** Files as an editor has them, finished or not: any JSON in the place of each file. */
export type DraftFiles = { purposes: readonly unknown[] } & { [N in DocumentName]?: unknown };

/** Most purpose files of a folder. */
const PURPOSES_MAX = 500;
/** Most places that are named. */
const ISSUES_MAX = 200;

/** The files alone, without what else a request says. */
export const draftFilesOf = (input: DraftFiles): DraftFiles => ({
  purposes: input.purposes,
  ...Object.fromEntries(DOCUMENTS.flatMap(({ name }) => (input[name] === undefined ? [] : [[name, input[name]]]))),
});

/** Every file that has not the form of its kind, by the place that is wrong. */
export function misshapenIn(files: DraftFiles): Issue[] {
  const checkPurpose = compile(PurposeFileDto);
  const within = (place: string, issues: readonly Issue[]): Issue[] =>
    issues.map(({ path, message }) => ({ path: path === '' ? place : `${place}.${path}`, message }));
  const shape = (place: string, file: unknown, check: (file: unknown) => readonly Issue[]): Issue[] =>
    typeof file === 'object' && file !== null && !Array.isArray(file)
      ? within(place, check(file))
      : [{ path: place, message: 'must be an object' }];
  return [
    ...(files.purposes.length > PURPOSES_MAX
      ? [{ path: 'purposes', message: `must have at most ${PURPOSES_MAX} items` }]
      : []),
    ...files.purposes.flatMap((file, index) => shape(`purposes[${index}]`, file, checkPurpose)),
    ...DOCUMENTS.flatMap(({ name }) =>
      files[name] === undefined ? [] : shape(name, files[name], compile(DOCUMENT_FILES[name].contract)),
    ),
  ];
}

/** Why the files could not be published, by the place that is wrong; none where they could. */
export function issuesIn(files: DraftFiles, state: CatalogueState, at: Instant): Issue[] {
  const misshapen = misshapenIn(files);
  if (misshapen.length > 0) return misshapen.slice(0, ISSUES_MAX);
  const decided = applyCatalogue(filesOf(files as CatalogueFolderDto), state, at);
  if (!isRefusal(decided)) return [];
  return decided.issues.length > 0 ? [...decided.issues] : [{ path: '', message: decided.hint }];
}

/** Text of the files that is the same for the same files. */
export const draftText = (files: DraftFiles): string => canonicalJson(files);
