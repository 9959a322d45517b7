import { CanonicalText, type Issue } from '../../kernel/index.js';
import { childPath, isJsonObject } from './declared.js';
import { compile } from './fields.js';
import type { Contract } from './operation.js';

/**
 * Most places that are named of all misshapen items of one list together, each of which names one: what was answered is kept
 * as an event, which must not be too large for a log.
 */
const ISSUES_OF_A_LIST = 500;

/** Stands in the place of an item of a list that does not fit its contract, where each item is judged by itself. */
export class Misshapen {
  constructor(
    /** Paths inside the item; empty for the item as a whole. */
    readonly issues: readonly Issue[],
    private readonly sent: unknown,
  ) {}

  /** For fingerprints. It may hold what canonical JSON cannot say. */
  text(): CanonicalText {
    return new CanonicalText(JSON.stringify(this.sent));
  }
}

/** How a list in a body is judged. */
export interface JudgedByItem {
  list: string;
  contract: Contract;
  /** Whether the body asks for it. */
  applies: (body: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * The body with its misshapen items marked; null where more than single items is wrong, or the body does not ask to have
 * them judged by themselves.
 */
export function withMisshapen(
  body: unknown,
  whole: Contract,
  { list, contract, applies }: JudgedByItem,
): Record<string, unknown> | null {
  const items = isJsonObject(body) ? body[list] : null;
  if (!isJsonObject(body) || !Array.isArray(items) || items.length === 0 || !applies(body)) return null;
  // Without any item only the list itself can be wrong, for being empty.
  if (compile(whole)({ ...body, [list]: [] }).some(({ path }) => path !== childPath('', list))) return null;
  const issues = items.map((item) => compile(contract)(item));
  const most = Math.max(1, Math.floor(ISSUES_OF_A_LIST / issues.filter(({ length }) => length > 0).length));
  const judged = items.map((item: unknown, i) =>
    issues[i]!.length === 0 ? item : new Misshapen(issues[i]!.slice(0, most), item),
  );
  return { ...body, [list]: judged };
}
