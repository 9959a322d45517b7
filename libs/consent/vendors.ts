import type { Instant } from '../kernel/index.js';
import type { ConsentRecordedData, VendorDecision } from './events.js';
import { markOf, restingOn } from './precedence.js';
import { saidBy, supersedes } from './purposes.js';
import type { VendorChoice, VendorFramework, VendorIds } from './vendor-choice.js';

/** What stands for one vendor. */
export type VendorStanding = 'GRANTED' | 'DENIED' | 'EXPIRED';

/**
 * How many vendors one subject can have decided about. There are some 1,100 on the list of IAB Europe and 700 on that of
 * Google. Beyond that the oldest grants are dropped first: a vendor without a decision is judged by the purposes.
 */
export const VENDORS_DECIDED_MAX = 10_000;

/** One vendor of one choice. */
export interface DecidedVendor extends Pick<VendorChoice, 'recordId' | 'source' | 'givenAt' | 'expiresAt' | 'undated'> {
  framework: VendorFramework;
  id: number;
  decision: VendorDecision['decision'];
}

/** What stands for each vendor that was decided on. */
export function vendorStandings(
  choices: readonly VendorChoice[] | undefined,
  framework: VendorFramework,
  at: Instant,
): Map<number, VendorStanding> {
  const standings = new Map<number, VendorStanding>();
  for (const { granted, denied, expiresAt } of choices ?? []) {
    const grant = expiresAt !== null && expiresAt <= at ? 'EXPIRED' : 'GRANTED';
    for (const id of granted[framework] ?? []) standings.set(id, grant);
    for (const id of denied[framework] ?? []) standings.set(id, 'DENIED');
  }
  return standings;
}

/** The moments at which grants to vendors end. */
export const vendorEnds = (choices: readonly VendorChoice[] = []): Instant[] =>
  choices.flatMap(({ granted, expiresAt }) => (expiresAt !== null && Object.keys(granted).length > 0 ? expiresAt : []));

/**
 * The choices after a record, whether its decision on the purpose stands or not: each vendor is decided on by itself, by
 * the same order as purposes. The same choices where the record names no vendor.
 */
export function withVendorsOf(
  choices: readonly VendorChoice[] | undefined,
  { vendors, recordId, source, givenAt, expiresAt, undated }: ConsentRecordedData,
): readonly VendorChoice[] | undefined {
  if (!vendors || vendors.length === 0) return choices;
  const decided = decidedVendors(choices);
  for (const { framework, id, decision } of vendors) {
    const name = nameOf({ framework, id });
    const current = decided.get(name);
    const said = { decision, source, givenAt, ...(undated && { undated }) };
    if (current && !supersedes(said, current)) decided.set(name, restingOn(current, saidBy(said)));
    else
      decided.set(name, {
        ...{ framework, id, decision, recordId, source, givenAt, expiresAt: endOf(decision, expiresAt) },
        ...markOf(saidBy(said), current && saidBy(current)),
      });
  }
  return choicesOf(decided.values());
}

/** A refusal has no end. */
const endOf = (decision: VendorDecision['decision'], expiresAt: Instant | null): Instant | null =>
  decision === 'GRANTED' ? expiresAt : null;

const nameOf = ({ framework, id }: Pick<DecidedVendor, 'framework' | 'id'>): string => `${framework} ${id}`;

/** Every vendor that was decided on, by framework and id. */
export function decidedVendors(choices: readonly VendorChoice[] | undefined): Map<string, DecidedVendor> {
  const decided = new Map<string, DecidedVendor>();
  for (const { granted, denied, recordId, source, givenAt, expiresAt, undated } of choices ?? [])
    for (const [decision, ids] of [['GRANTED', granted] as const, ['DENIED', denied] as const])
      for (const framework of Object.keys(ids) as VendorFramework[])
        for (const id of ids[framework]!)
          decided.set(nameOf({ framework, id }), {
            ...{ framework, id, decision, recordId, source, givenAt },
            expiresAt: endOf(decision, expiresAt),
            ...(undated && decision === 'GRANTED' && { undated }),
          });
  return decided;
}

/**
 * As it is kept: one choice for each record, of an undated one for each date that its grants rest on; the oldest first, so
 * that the same decisions are the same choices.
 */
export function choicesOf(decided: Iterable<DecidedVendor>): readonly VendorChoice[] {
  const byRecord = new Map<string, DecidedVendor[]>();
  for (const each of bounded([...decided])) {
    const name = `${each.recordId} ${markText(each)}`;
    const ofRecord = byRecord.get(name);
    if (ofRecord) ofRecord.push(each);
    else byRecord.set(name, [each]);
  }
  return [...byRecord.values()].map(choiceOf).sort(byAge);
}

function choiceOf(decided: readonly DecidedVendor[]): VendorChoice {
  const { recordId, source, givenAt, undated } = decided[0]!;
  const expiresAt = decided.find(({ decision }) => decision === 'GRANTED')?.expiresAt ?? null;
  const which = { granted: ids(decided, 'GRANTED'), denied: ids(decided, 'DENIED') };
  return { recordId, source, givenAt, expiresAt, ...(undated && { undated }), ...which };
}

const markText = ({ undated }: Pick<VendorChoice, 'undated'>): string =>
  undated ? `above ${undated.above ?? ''}` : '';

function ids(decided: readonly DecidedVendor[], wanted: VendorDecision['decision']): VendorIds {
  const found: Partial<Record<VendorFramework, number[]>> = {};
  for (const { framework, id, decision } of decided) if (decision === wanted) (found[framework] ??= []).push(id);
  for (const each of Object.values(found)) each.sort((a, b) => a - b);
  return found;
}

type Aged = Pick<VendorChoice, 'givenAt' | 'recordId' | 'undated'>;

function byAge(a: Aged, b: Aged): number {
  if (a.givenAt !== b.givenAt) return a.givenAt < b.givenAt ? -1 : 1;
  if (a.recordId !== b.recordId) return a.recordId < b.recordId ? -1 : 1;
  return markText(a) < markText(b) ? -1 : 1;
}

function bounded(decided: readonly DecidedVendor[]): readonly DecidedVendor[] {
  if (decided.length <= VENDORS_DECIDED_MAX) return decided;
  const rank = ({ decision }: DecidedVendor): number => (decision === 'GRANTED' ? 0 : 1);
  return [...decided]
    .sort((a, b) => rank(a) - rank(b) || byAge(a, b) || a.id - b.id)
    .slice(decided.length - VENDORS_DECIDED_MAX);
}
