import { proceed } from '../kernel/index.js';
import { isForm, readFormBody, readJsonBody, readOptionalJsonBody, readTokenBody } from '../http/contract/body.js';
import { compile } from '../http/contract/fields.js';
import { withMisshapen } from '../http/contract/misshapen.js';
import { invalid, refused } from '../http/errors/refused.js';
import { BODY_BYTES_PER_UNIT } from './account.js';
import type { Arrival, Identified } from './callers/callers.js';

/** Most places that a refusal names. */
const MOST_ISSUES = 20;

/**
 * The checked body of a request; undefined if it may be left out and was. Every body is checked against a contract
 * before a handler gets it. A large body is charged before it is parsed, and the records of a batch before they are
 * validated: a flood of requests that will be refused costs its sender as much. Waits for `room` only when the body has
 * arrived, so that a slow body takes no place from others behind the same address. Throws Refused.
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
  // Compiled at the first call: all contracts together took a tenth of the processor time of a start.
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

/** The function that reads the body of this request. */
function readerOf({ byLink, body }: Arrival['operation'], request: Arrival['request']): typeof readJsonBody {
  if (body!.tokenOnly) return readTokenBody;
  if (byLink && isForm(request)) return readFormBody;
  return body!.optional ? readOptionalJsonBody : readJsonBody;
}

/** Number of items of a list in a body that was not validated yet. */
function lengthOf(input: unknown, list: string): number {
  const items: unknown = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[list] : null;
  return Array.isArray(items) ? items.length : 0;
}
