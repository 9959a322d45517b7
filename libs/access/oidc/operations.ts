import { BY_ANYBODY, type OperationDeclaration } from '../../context/operations.js';

/** Steps of a browser, and no part of the interface. */
export const OIDC_OPERATIONS: readonly OperationDeclaration[] = [
  { ...BY_ANYBODY, id: 'beginOidcSignIn', path: '/admin/v1/session/oidc' },
  { ...BY_ANYBODY, id: 'finishOidcSignIn', path: '/admin/v1/session/oidc/callback' },
];
