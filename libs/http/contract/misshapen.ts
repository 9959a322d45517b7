import { CanonicalText, type Issue } from '../../kernel/index.js';
import { childPath, isJsonObject } from './declared.js';
import { compile } from './fields.js';
import type { Contract } from './operation.js';

/**
 * Most issues of all misshapen items of one list together; each item has at least one. The answer is kept as an event,
 * which must not be too large for the log.
 */
const ISSUES_OF_A_LIST = 500;

/** Replaces an item that does not fit its contract, in a list whose items are judged one by one. */
export class Misshapen {
  constructor(
    /** Paths inside the item; empty for the item as a whole. */
    readonly issues: readonly Issue[],
    private readonly sent: unknown,
  ) {}

  /** The item's text for fingerprints: the item may hold values that canonical JSON cannot say. */
  text(): CanonicalText {
    return new CanonicalText(JSON.stringify(this.sent));
  }
}

/** A list in a body whose items are judged one by one. */
export interface JudgedByItem {
  list: string;
  contract: Contract;
  /** Whether the body asks for it. */
  applies: (body: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * The body with each misshapen item replaced by a Misshapen. Null where the body has other faults too, or does not ask for
 * items to be judged one by one.
 */
export function withMisshapen(
  body: unknown,
  whole: Contract,
  { list, contract, applies }: JudgedByItem,
): Record<string, unknown> | null {
  const items = isJsonObject(body) ? body[list] : null;
  if (!isJsonObject(body) || !Array.isArray(items) || items.length === 0 || !applies(body)) return null;
  // Checks the body without items: the only fault may be that the list is empty.
  if (compile(whole)({ ...body, [list]: [] }).some(({ path }) => path !== childPath('', list))) return null;
  const issues = items.map((item) => compile(contract)(item));
  const most = Math.max(1, Math.floor(ISSUES_OF_A_LIST / issues.filter(({ length }) => length > 0).length));
  const judged = items.map((item: unknown, i) =>
    issues[i]!.length === 0 ? item : new Misshapen(issues[i]!.slice(0, most), item),
  );
  return { ...body, [list]: judged };
}
