import { buildOpenApi, type OpenApiDocument } from '../http/openapi/openapi.js';
import { COMPOSITION } from './contexts.js';

export const VERSION = '0.1.0';

/** The OpenAPI document: who may call what, and what each operation says of itself. */
export const openApiDocument = (publicUrl: string): OpenApiDocument =>
  buildOpenApi({
    operations: COMPOSITION.operations.documented,
    headings: COMPOSITION.headings,
    publicUrl,
    version: VERSION,
  });
