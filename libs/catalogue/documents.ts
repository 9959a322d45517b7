import { BANNER } from './banner/document.js';
import { COOKIES } from './cookies/document.js';
import type { DocumentKind } from './document.js';
import { POLICIES } from './policies/document.js';
import { TEMPLATE } from './template/template-document.js';
import { VENDORS } from './vendors/document.js';

/**
 * Every document of a catalogue, in the order in which they are applied. To add one, add a line here and one in
 * `document-files.ts`, which defines its file. Decisions know only this list, since they import no contract.
 */
export const DOCUMENTS = [TEMPLATE, VENDORS, COOKIES, BANNER, POLICIES] as const;

type Kind = (typeof DOCUMENTS)[number];
export type DocumentName = Kind['name'];
export type KindOf<N extends DocumentName> = Extract<Kind, { name: N }>;
export type DefinitionOf<N extends DocumentName> = KindOf<N> extends DocumentKind<string, string, infer D> ? D : never;

/** The kind with this name in diffs; undefined for purposes, which are no document. */
export const documentOf = (object: string): Kind | undefined => DOCUMENTS.find((kind) => kind.object === object);
