import type { MergeConflict, MergeRule } from '../subjects/index.js';
import {
  decisionOn,
  isRefusing,
  stateAt,
  type ConsentDecisions,
  type GpcSignal,
  type KnownPlace,
  type PurposeConsent,
} from './purposes.js';
import { datedThrough, SOURCE_RANK } from './precedence.js';
import type { VendorChoice } from './vendor-choice.js';
import { choicesOf, decidedVendors, type DecidedVendor } from './vendors.js';

/** What a merge compares: the decision that stands for a purpose, or for a vendor. */
type Standing = Pick<
  PurposeConsent,
  'state' | 'decision' | 'givenAt' | 'source' | 'recordId' | 'expiresAt' | 'undated'
>;

/** More of it means that less may be done. */
function restriction(consent: Standing, { mergedAt }: MergeRule): number {
  if (isRefusing(consent.decision)) return 2;
  return stateAt(consent, mergedAt) === 'EXPIRED' ? 1 : 0;
}

/**
 * A total order of decisions by time, so that the order of merges makes no difference. A claim without a date counts as of
 * the dated grant beneath it, else as the oldest of all.
 */
const order = (consent: Standing): [string, number, number, string] => [
  datedThrough(consent),
  isRefusing(consent.decision) ? 1 : 0,
  SOURCE_RANK[consent.source],
  consent.recordId,
];

function isAbove<T extends readonly (string | number)[]>(a: T, b: T): boolean {
  const differing = a.findIndex((member, i) => member !== b[i]);
  return differing >= 0 && a[differing]! > b[differing]!;
}

/** Whether what an anonymous visitor decided follows the person at all. */
function isCarried(refusing: boolean, { carryOver }: MergeRule): boolean {
  return (
    carryOver === null ||
    carryOver === 'ALWAYS' ||
    (carryOver === 'IF_DENIED' && refusing) ||
    (carryOver === 'IF_GRANTED' && !refusing)
  );
}

function sourceStands(target: Standing | undefined, source: Standing, rule: MergeRule): boolean {
  if (!isCarried(isRefusing(source.decision), rule)) return false;
  if (!target) return true;
  switch (rule.policy) {
    case 'TARGET_WINS':
      return false;
    case 'MOST_RECENT':
      return isAbove(order(source), order(target));
    case 'MOST_RESTRICTIVE':
      return isAbove([restriction(source, rule), ...order(source)], [restriction(target, rule), ...order(target)]);
  }
}

function mergedGpc(target: GpcSignal | null, source: GpcSignal | null, rule: MergeRule): GpcSignal | null {
  if (!source || !isCarried(source.active, rule)) return target;
  if (!target) return source;
  if (rule.policy === 'TARGET_WINS') return target;
  const rank = ({ active, since }: GpcSignal): (string | number)[] =>
    rule.policy === 'MOST_RECENT' ? [since, active ? 1 : 0] : [active ? 1 : 0, since];
  return isAbove(rank(source), rank(target)) ? source : target;
}

/** Where the two were last known to be. A place is no choice: it follows the person whatever is carried over. */
function newerPlace(target: KnownPlace | undefined, source: KnownPlace | undefined): KnownPlace | undefined {
  if (!target || !source) return target ?? source;
  const rank = ({ since, country, region = '' }: KnownPlace): string[] => [since, country, region];
  return isAbove(rank(source), rank(target)) ? source : target;
}

const standingOf = (vendor: DecidedVendor): Standing => ({ ...vendor, state: vendor.decision });

/** Each vendor that either decided about stands as one purpose does. */
function mergedVendors(
  target: readonly VendorChoice[] | undefined,
  source: readonly VendorChoice[] | undefined,
  rule: MergeRule,
): readonly VendorChoice[] | undefined {
  if (!source) return target;
  const merged = decidedVendors(target);
  for (const [name, theirs] of decidedVendors(source)) {
    const ours = merged.get(name);
    if (sourceStands(ours && standingOf(ours), standingOf(theirs), rule)) merged.set(name, theirs);
  }
  return merged.size === 0 ? target : choicesOf(merged.values());
}

/** Two subjects' consent as one: for each purpose one of the two decisions stands, by the rule of the merge. */
export function mergeConsent<S extends ConsentDecisions>(target: S, source: ConsentDecisions, rule: MergeRule): S {
  const purposes = { ...target.purposes };
  for (const [purpose, consent] of Object.entries(source.purposes))
    if (sourceStands(decisionOn(target, purpose), consent, rule)) purposes[purpose] = consent;
  const place = newerPlace(target.place, source.place);
  const vendors = mergedVendors(target.vendors, source.vendors, rule);
  const gpc = mergedGpc(target.gpc, source.gpc, rule);
  return { ...target, purposes, gpc, ...(place && { place }), ...(vendors && { vendors }) };
}

/** The consent of one of two subjects, for the list of what they differ on. */
interface Side {
  id: string;
  state: ConsentDecisions;
}

/** Every purpose on which the two said different things, or on which the visitor's decision is left behind; and vendors. */
export const consentConflicts = (target: Side, source: Side, rule: MergeRule): MergeConflict[] => [
  ...Object.entries(source.state.purposes).flatMap(([purpose, theirs]): MergeConflict[] => {
    const conflict = conflictOf(target.id, decisionOn(target.state, purpose), source.id, theirs, rule);
    return conflict ? [{ purpose, ...conflict }] : [];
  }),
  ...vendorConflicts(target, source, rule),
];

function conflictOf(
  targetId: string,
  ours: Standing | undefined,
  sourceId: string,
  theirs: Standing,
  rule: MergeRule,
): Omit<MergeConflict, 'purpose' | 'field'> | null {
  const value = (subject: string, decided: Standing) => ({
    subject,
    state: stateAt(decided, rule.mergedAt),
    givenAt: decided.givenAt,
  });
  const stands = sourceStands(ours, theirs, rule);
  const differ = ours ? stateAt(ours, rule.mergedAt) !== stateAt(theirs, rule.mergedAt) : !stands;
  if (!differ) return null;
  return {
    values: [...(ours ? [value(targetId, ours)] : []), value(sourceId, theirs)],
    chosen: stands ? sourceId : targetId,
    rule: rule.carryOver === null ? rule.policy : `CARRY_OVER_${rule.carryOver}`,
  };
}

/**
 * One for all vendors of a framework on which the two said the same two things, with the newest times: they can be
 * thousands, and an event holds the list. Which vendors they are, the records tell.
 */
function vendorConflicts(target: Side, source: Side, rule: MergeRule): MergeConflict[] {
  const ours = decidedVendors(target.state.vendors);
  const found = new Map<string, MergeConflict>();
  for (const [name, theirs] of decidedVendors(source.state.vendors)) {
    const own = ours.get(name);
    const conflict = conflictOf(target.id, own && standingOf(own), source.id, standingOf(theirs), rule);
    if (!conflict) continue;
    const field = `vendors.${theirs.framework}`;
    const kind = [field, conflict.chosen, ...conflict.values.map(({ state }) => state)].join(' ');
    const known = found.get(kind);
    found.set(kind, { field, ...conflict, values: conflict.values.map((value, i) => newer(value, known?.values[i])) });
  }
  return [...found.values()];
}

type MergeValue = MergeConflict['values'][number];
const newer = (value: MergeValue, known: MergeValue | undefined): MergeValue =>
  known && known.givenAt! > value.givenAt! ? known : value;
