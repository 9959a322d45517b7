import { BY_ANYBODY, type OperationDeclaration } from '../context/operations.js';

/** A screen loads a script and a few parts of it. Counted apart from what the console asks of the service. */
const FILE_LIMIT = { perSecond: 60, burst: 240 } as const;

/** The app itself needs no key: it shows nothing before an operator has signed in. */
export const CONSOLE_OPERATIONS: readonly OperationDeclaration[] = [
  { ...BY_ANYBODY, id: 'getConsole', path: '/console' },
  { ...BY_ANYBODY, id: 'getConsoleFile', path: '/console/assets/{file}', limited: false, perAddress: FILE_LIMIT },
  { ...BY_ANYBODY, id: 'getConsolePreview', path: '/console/preview' },
  { ...BY_ANYBODY, id: 'getConsoleScreen', path: '/console/{screen}', restOfPath: true },
];
