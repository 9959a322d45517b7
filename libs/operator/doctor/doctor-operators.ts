import { conditionOfToken, OperatorTokens } from '../../access/index.js';
import { systemClock } from '../../kernel/index.js';
import type { EventLog } from '../../log/port.js';
import { ok, warn, type Finding } from './findings.js';

const CHECK = 'operators';
/** Most tokens that the finding names. */
const NAMED_MAX = 20;

/** Names the tokens that were issued before roles: they may do everything everywhere. */
export async function checkOperators(log: EventLog): Promise<Finding> {
  const at = systemClock();
  const live = [...(await new OperatorTokens(log, '').state()).values()].filter(
    (token) => conditionOfToken(token, at) === 'live',
  );
  const old = live.filter(({ beforeRoles }) => beforeRoles).map(({ tokenId, name }) => `${tokenId} (${name})`);
  if (old.length === 0) return ok(CHECK, `${live.length} with a token, each with roles`);
  const more = old.length > NAMED_MAX ? ` and ${old.length - NAMED_MAX} more` : '';
  return warn(
    CHECK,
    `tokens from before roles may do everything everywhere: ${old.slice(0, NAMED_MAX).join(', ')}${more}`,
    'Give each the roles that it needs: assent operators roles <id> --role <role>@<site>/<env>.',
  );
}
