import { BY_ANYBODY, type OperationDeclaration } from '../../access/index.js';

/** How many codes one caller can ask for, to whatever addresses: twenty at once, then twenty an hour. */
export const CODE_LIMIT = { perSecond: 20 / 3600, burst: 20 } as const;

const PATH = '/portal/{site}/{env}';

/** They need no API key; who may see what is decided by their controllers. */
export const PORTAL_PAGE_OPERATIONS: readonly OperationDeclaration[] = [
  { ...BY_ANYBODY, id: 'showPortalEntry', method: 'GET', path: '/portal' },
  { ...BY_ANYBODY, id: 'showPortal', method: 'GET', path: PATH },
  { ...BY_ANYBODY, id: 'showPortalPage', method: 'GET', path: `${PATH}/{page}` },
  { ...BY_ANYBODY, id: 'postPortal', method: 'POST', path: PATH, byPerson: true },
  { ...BY_ANYBODY, id: 'postPortalCode', method: 'POST', path: `${PATH}/code`, byPerson: true, perAddress: CODE_LIMIT },
];
