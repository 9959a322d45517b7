import { answered, api } from '../../api/client.js';
import type { Once } from '../../api/act.js';
import type { components } from '../../api/schema.js';
import type { Place } from '../../session.js';

export type Draft = components['schemas']['CatalogueDraft'];
export type Purpose = components['schemas']['Purpose'];
export type CatalogueVersion = components['schemas']['CatalogueVersion'];
/** A purpose file as it is being written: what is not filled in yet is absent. */
export type PurposeFile = Partial<components['schemas']['PurposeFile']> & { readonly key: string };
export type CatalogueFiles = Draft['files'];

/** Files of a catalogue besides its purposes, by member of the draft, in the order in which they are shown. */
export const DOCUMENTS = ['banner', 'template', 'cookies', 'vendors', 'policies'] as const;
export type DocumentName = (typeof DOCUMENTS)[number];
/** How the service calls what the file describes. */
export const OBJECT_OF: Readonly<Record<DocumentName, string>> = {
  banner: 'banner',
  template: 'preference_template',
  cookies: 'cookies',
  vendors: 'vendors',
  policies: 'policies',
};

export const purposeFiles = (files: CatalogueFiles): readonly PurposeFile[] =>
  (files.purposes as readonly unknown[]).filter(isPurposeFile);
/** A draft may hold anything in the place of a purpose. */
const isPurposeFile = (file: unknown): file is PurposeFile =>
  typeof file === 'object' && file !== null && typeof (file as { key?: unknown }).key === 'string';

/** Where the issues of a purpose begin in the answers of the service; null: the draft has no such file. */
export function placeOf(files: CatalogueFiles, key: string): string | null {
  const index = (files.purposes as readonly unknown[]).findIndex((file) => isPurposeFile(file) && file.key === key);
  return index < 0 ? null : `purposes[${index}]`;
}

/** The files with one purpose put in its place, or at their end. */
export function withPurpose(files: CatalogueFiles, file: PurposeFile): CatalogueFiles {
  const there = placeOf(files, file.key) !== null;
  const all = files.purposes as readonly unknown[];
  return {
    ...files,
    purposes: there ? all.map((each) => (isPurposeFile(each) && each.key === file.key ? file : each)) : [...all, file],
  };
}

export const askDraft = (place: Place): Promise<Draft> =>
  answered(api.GET('/admin/v1/sites/{site}/{env}/catalogue/draft', { params: { path: { ...place } } }));

/** What is published, as files. */
export const askPublished = (place: Place): Promise<CatalogueFiles> =>
  answered(
    api.GET('/admin/v1/sites/{site}/{env}/catalogue', { params: { path: { ...place } } }),
  ) as Promise<CatalogueFiles>;

/** Saves the files over the draft that was read. `base`: the version that they were brought up to. */
export const saveDraft = (
  place: Place,
  seen: Draft,
  files: CatalogueFiles,
  once: Once,
  base?: number,
): Promise<Draft> =>
  answered(
    api.PUT('/admin/v1/sites/{site}/{env}/catalogue/draft', {
      params: { path: { ...place } },
      headers: { ...once.headers, 'If-Match': seen.tag },
      body: { ...files, ...(base !== undefined && { base }) },
    }),
  );
