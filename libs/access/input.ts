import { proceed } from '../kernel/index.js';
import { isForm, readFormBody, readJsonBody, readOptionalJsonBody, readTokenBody } from '../http/contract/body.js';
import { compile } from '../http/contract/fields.js';
import { withMisshapen } from '../http/contract/misshapen.js';
import { invalid, refused } from '../http/errors/refused.js';
import { BODY_BYTES_PER_UNIT } from './account.js';
import type { Arrival, Identified } from './callers/callers.js';

/** Refusals name this many places at most. */
const MOST_ISSUES = 20;

/**
 * The body of a request whose operation has one; undefined where it may be left out and was. No body reaches a handler
 * that was not held against a contract. A large body is paid for before anything looks into it, and the records of a
 * batch before they are validated: a flood of what will be refused costs as much. `room` is waited for when the body is
 * there: a body that arrives slowly takes no place away from others behind the same address. Throws Refused.
 */
export async function readInput(
  { operation, request }: Arrival,
  { known, account }: Identified,
  room: () => void | Promise<void>,
): Promise<unknown> {
  const rules = {
    limitBytes: operation.bodyLimit!,
    ...(operation.tooLarge && { tooLarge: operation.tooLarge }),
    ...(account && {
      arrived: (bytes: number) => proceed(room(), () => account.charge(Math.ceil(bytes / BODY_BYTES_PER_UNIT))),
    }),
  };
  const { contract } = operation.body!;
  const sent = await readerOf(operation, request)(request, rules);
  if (sent === undefined) return undefined;
  const oversized = operation.oversized?.(sent);
  if (oversized) throw refused(operation.tooLarge ?? 'body_too_large', oversized);
  if (account && operation.subject?.in === 'batch') await account.charge(lengthOf(sent, operation.subject.list));
  // Compiled when it is first called: all of them together were a tenth of the processor time of a start.
  const issues = compile(contract)(sent);
  const input =
    issues.length === 0 ? sent : operation.judgedByItem && withMisshapen(sent, contract, operation.judgedByItem);
  if (!input) throw invalid(issues);
  const asserted = (known?.key.type === 'pk' && operation.privileged?.(input as never)) || [];
  if (asserted.length > 0)
    throw refused(
      'secret_key_required',
      'A public key may not assert this; send it from your server with a secret key.',
      asserted.slice(0, MOST_ISSUES),
    );
  return input;
}

/** How a body is read. */
function readerOf({ byLink, body }: Arrival['operation'], request: Arrival['request']): typeof readJsonBody {
  if (body!.tokenOnly) return readTokenBody;
  if (byLink && isForm(request)) return readFormBody;
  return body!.optional ? readOptionalJsonBody : readJsonBody;
}

/** Items of a list in a body that nothing has been held against yet. */
function lengthOf(input: unknown, list: string): number {
  const items: unknown = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[list] : null;
  return Array.isArray(items) ? items.length : 0;
}
