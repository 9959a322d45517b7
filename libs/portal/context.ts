import { defineContext } from '../context/define-context.js';
import { BlankCodes } from './codes/blank-codes.handler.js';
import { pruneCodes } from './codes/code-rows.js';
import { CreatePortal1763870000001 } from './codes/codes.migration.js';
import { BlankCodesModule } from './codes/module.js';
import { forgetAsked } from './forget.js';
import { startOptOuts } from './intake/opt-out-worker.js';
import { OptOutsModule, PortalIntakeModule } from './intake/module.js';
import { PORTAL_INTAKE_OPERATIONS } from './intake/operations.js';
import { errorPage } from './pages/errors.js';
import { PortalPostModule, PortalShowModule } from './pages/module.js';
import { PORTAL_PAGE_OPERATIONS } from './pages/operations.js';
import { PortalTokensModule } from './tokens/module.js';
import { PORTAL_TOKEN_OPERATIONS } from './tokens/operations.js';

// What the composition uses by itself.
export { PORTAL_DOORS } from './doors.js';
export { IssuePortalToken } from './tokens/issue-token.handler.js';

/** Where people see and change what a site keeps of them, by themselves. */
export const portalContext = defineContext({
  name: 'portal',
  headings: { Portal: 'People act for themselves: signed in by your server, or by a code that is mailed to them.' },
  operations: [...PORTAL_TOKEN_OPERATIONS, ...PORTAL_INTAKE_OPERATIONS, ...PORTAL_PAGE_OPERATIONS],
  migrations: [CreatePortal1763870000001],
  modules: {
    'write-api': [PortalTokensModule, PortalIntakeModule, PortalPostModule],
    'read-api': [PortalShowModule],
    dispatcher: [OptOutsModule, BlankCodesModule],
  },
  forget: forgetAsked,
  prune: pruneCodes,
  chores: [{ name: 'codes that are over', everyMs: 10_000, command: () => new BlankCodes() }],
  worker: startOptOuts,
  errorPage,
});
