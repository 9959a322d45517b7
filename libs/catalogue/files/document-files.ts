import { Nested } from '../../http/contract/fields.js';
import { BANNER_FILE } from '../banner/file.js';
import { COOKIES_FILE } from '../cookies/file.js';
import type { AboutPublication, DocumentFile } from './document-file.js';
import { DOCUMENTS, type DefinitionOf, type DocumentName } from '../documents.js';
import { POLICIES_FILE } from '../policies/file.js';
import { TEMPLATE_FILE } from '../template/template-file.js';
import { VENDORS_FILE } from '../vendors/file.js';

/** The file form of each document. */
export const DOCUMENT_FILES = {
  template: TEMPLATE_FILE,
  vendors: VENDORS_FILE,
  cookies: COOKIES_FILE,
  banner: BANNER_FILE,
  policies: POLICIES_FILE,
} satisfies { [N in DocumentName]: DocumentFile<DefinitionOf<N>, object> };

/** The files of a catalogue of which it has one. */
export type DocumentFilesDto = { [N in DocumentName]?: InstanceType<(typeof DOCUMENT_FILES)[N]['contract']> };

class DeclaredDocumentFiles {}
for (const { name } of DOCUMENTS) {
  const { contract, about } = DOCUMENT_FILES[name];
  Nested(() => contract, { description: about, optional: true })(DeclaredDocumentFiles.prototype, name);
}
/** Declares one member for each document, so that a new one needs no change of the contracts that hold it. */
export const DocumentFilesDto = DeclaredDocumentFiles as new () => DocumentFilesDto;

type AnyFile = object & AboutPublication;

/** The given documents, in the order of their list, each with its file form. */
export const documentsIn = (
  files: DocumentFilesDto,
): { name: DocumentName; form: DocumentFile<unknown, AnyFile>; file: AnyFile }[] =>
  DOCUMENTS.flatMap(({ name }) => {
    const file: AnyFile | undefined = files[name];
    return file ? [{ name, form: DOCUMENT_FILES[name] as DocumentFile<unknown, AnyFile>, file }] : [];
  });
