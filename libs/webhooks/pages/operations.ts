import { BY_ANYBODY, type OperationDeclaration } from '../../access/index.js';

/** They need no API key; who may see them is decided by their controller. */
export const WEBHOOK_PAGE_OPERATIONS: readonly OperationDeclaration[] = [
  { ...BY_ANYBODY, id: 'showWebhooksPage', method: 'GET', path: '/admin/webhooks' },
  { ...BY_ANYBODY, id: 'postWebhooksPage', method: 'POST', path: '/admin/webhooks' },
];
