import { BANNER } from './banner/document.js';
import { COOKIES } from './cookies/document.js';
import type { DocumentKind } from './document.js';
import { POLICIES } from './policies/document.js';
import { TEMPLATE } from './template/template-document.js';
import { VENDORS } from './vendors/document.js';

/**
 * Every document of a catalogue, in the order in which they are applied. Another one is a line here, and a line in
 * `document-files.ts`, which says how its file is written: decisions know this list alone, since they reach no contract.
 */
export const DOCUMENTS = [TEMPLATE, VENDORS, COOKIES, BANNER, POLICIES] as const;

type Kind = (typeof DOCUMENTS)[number];
export type DocumentName = Kind['name'];
export type KindOf<N extends DocumentName> = Extract<Kind, { name: N }>;
export type DefinitionOf<N extends DocumentName> = KindOf<N> extends DocumentKind<string, string, infer D> ? D : never;

/** The kind that diffs call so; undefined of purposes, which are no document. */
export const documentOf = (object: string): Kind | undefined => DOCUMENTS.find((kind) => kind.object === object);
