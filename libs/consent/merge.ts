import type { MergeConflict, MergeRule } from '../subjects/index.js';
import {
  decisionOn,
  isRefusing,
  SOURCE_RANK,
  stateAt,
  type ConsentDecisions,
  type GpcSignal,
  type KnownPlace,
  type PurposeConsent,
} from './purposes.js';

/** More of it means that less may be done. */
function restriction(consent: PurposeConsent, { mergedAt }: MergeRule): number {
  if (isRefusing(consent.decision)) return 2;
  return stateAt(consent, mergedAt) === 'EXPIRED' ? 1 : 0;
}

/** A total order of decisions by time, so that whoever merges with whom first makes no difference. */
const order = (consent: PurposeConsent): [string, number, number, string] => [
  consent.givenAt,
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

function sourceStands(target: PurposeConsent | undefined, source: PurposeConsent, rule: MergeRule): boolean {
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

/** Two subjects' consent as one: for each purpose one of the two decisions stands, by the rule of the merge. */
export function mergeConsent<S extends ConsentDecisions>(target: S, source: ConsentDecisions, rule: MergeRule): S {
  const purposes = { ...target.purposes };
  for (const [purpose, consent] of Object.entries(source.purposes))
    if (sourceStands(decisionOn(target, purpose), consent, rule)) purposes[purpose] = consent;
  const place = newerPlace(target.place, source.place);
  return { ...target, purposes, gpc: mergedGpc(target.gpc, source.gpc, rule), ...(place && { place }) };
}

/** Every purpose on which the two said different things, or on which the visitor's decision is left behind. */
export function consentConflicts(
  target: { id: string; state: ConsentDecisions },
  source: { id: string; state: ConsentDecisions },
  rule: MergeRule,
): MergeConflict[] {
  const value = (id: string, consent: PurposeConsent) => ({
    subject: id,
    state: stateAt(consent, rule.mergedAt),
    givenAt: consent.givenAt,
  });
  return Object.entries(source.state.purposes).flatMap(([purpose, theirs]): MergeConflict[] => {
    const ours = decisionOn(target.state, purpose);
    const stands = sourceStands(ours, theirs, rule);
    const differ = ours ? stateAt(ours, rule.mergedAt) !== stateAt(theirs, rule.mergedAt) : !stands;
    if (!differ) return [];
    const values = [...(ours ? [value(target.id, ours)] : []), value(source.id, theirs)];
    return [
      {
        purpose,
        values,
        chosen: stands ? source.id : target.id,
        rule: rule.carryOver === null ? rule.policy : `CARRY_OVER_${rule.carryOver}`,
      },
    ];
  });
}
