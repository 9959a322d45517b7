import type { OpenApiDocument } from '../openapi/openapi.js';

/** What the pages are made of. */
export interface DocsSource {
  /** Asked once, at the first request. */
  document: () => OpenApiDocument;
  publicUrl: string;
}
export const DOCS_SOURCE = Symbol('docs source');
