export { SHARE_DAYS, type GrantShare } from './grant-share.js';
export { grantShares } from './read/grant-shares.js';
