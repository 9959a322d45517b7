import { ADMIN_OPERATIONS } from '../access/admin/operations.js';
import { OPERATIONS } from '../access/operations.js';
import { CATALOGUE_OPERATIONS } from '../catalogue/operations.js';
import { CONSENT_READ_OPERATIONS } from '../consent/read/operations.js';
import { CONSENT_WRITE_OPERATIONS } from '../consent/write/operations.js';
import { PREFERENCE_READ_OPERATIONS } from '../preferences/read/operations.js';
import { CONFIRMATION_OPERATIONS } from '../preferences/write/confirmation.operations.js';
import { PREFERENCE_WRITE_OPERATIONS } from '../preferences/write/operations.js';
import { SUBJECT_OPERATIONS } from '../subjects/operations.js';
import { PREFERENCE_PAGE_OPERATIONS } from '../preferences/pages/operations.js';
import { buildOpenApi, type OpenApiDocument } from '../platform/http/openapi.js';
import type { OperationDocument } from '../platform/http/operation.js';
import { RECEIPT_OPERATIONS } from '../receipts/read/operations.js';

/** What each operation says of itself. Probes and pages about the service are not part of the interface. */
export const DOCUMENTS: readonly OperationDocument[] = [
  ...CONSENT_WRITE_OPERATIONS,
  ...CONSENT_READ_OPERATIONS,
  ...PREFERENCE_WRITE_OPERATIONS,
  ...PREFERENCE_READ_OPERATIONS,
  ...SUBJECT_OPERATIONS,
  ...CATALOGUE_OPERATIONS,
  ...CONFIRMATION_OPERATIONS,
  ...PREFERENCE_PAGE_OPERATIONS,
  ...RECEIPT_OPERATIONS,
  ...ADMIN_OPERATIONS,
];

export const VERSION = '0.1.0';

/** The OpenAPI document: the operation table and what each operation says of itself. */
export function openApiDocument(publicUrl: string): OpenApiDocument {
  const access = new Map<string, (typeof OPERATIONS)[number]>(OPERATIONS.map((operation) => [operation.id, operation]));
  return buildOpenApi({
    operations: DOCUMENTS.map((document) => ({ ...access.get(document.id)!, ...document })),
    publicUrl,
    version: VERSION,
  });
}
