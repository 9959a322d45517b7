import type { OperationDeclaration } from '../access/index.js';
import { EDITING_OPERATIONS } from './editing/operations.js';
import { FILE_OPERATIONS } from './files/files.operations.js';
import { PREVIEW_OPERATIONS } from './preview/operations.js';
import { BANNER_OPERATIONS } from './read/banner.operations.js';
import { COOKIE_OPERATIONS } from './read/cookies.operations.js';
import { PURPOSE_OPERATIONS } from './read/purposes.operations.js';
import { TEMPLATE_OPERATIONS } from './read/template.operations.js';

export const CATALOGUE_OPERATIONS: readonly OperationDeclaration[] = [
  ...PURPOSE_OPERATIONS,
  ...TEMPLATE_OPERATIONS,
  ...BANNER_OPERATIONS,
  ...COOKIE_OPERATIONS,
  ...FILE_OPERATIONS,
  ...EDITING_OPERATIONS,
  ...PREVIEW_OPERATIONS,
];
