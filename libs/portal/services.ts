export { PORTAL_DOORS } from './doors.js';
export { IssuePortalToken } from './tokens/issue-token.handler.js';
