import fc from 'fast-check';
import type { Terms } from '../../libs/catalogue/index.js';
import { expireConsent, recordConsent } from '../../libs/consent/decide.js';
import {
  DECISIONS,
  SOURCES,
  VENDOR_FRAMEWORKS,
  type ConsentEvent,
  type Decision,
  type Source,
  type VendorDecision,
} from '../../libs/consent/events.js';
import { consentFold, type ConsentState } from '../../libs/consent/state.js';
import { derivedId, instantOf } from '../../libs/kernel/index.js';

export const START = Date.UTC(2026, 0, 1);

/** One thing that happens to a subject: a decision with a clock that may lag or run ahead, or time passing. */
export interface Step {
  kind: 'record' | 'expire';
  purpose: string;
  decision: Decision;
  source: Source;
  /** Minutes since the step before. */
  wait: number;
  /** Minutes that givenAt lies back; null: not claimed. */
  back: number | null;
  /** Minutes until a grant ends; 0: never. */
  life: number;
  gpc: boolean | undefined;
  vendors: VendorDecision[] | undefined;
}

const vendor: fc.Arbitrary<VendorDecision> = fc.record({
  framework: fc.constantFrom(...VENDOR_FRAMEWORKS),
  id: fc.constantFrom(8, 28, 755),
  decision: fc.constantFrom('GRANTED', 'DENIED'),
});

export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('record', 'record', 'record', 'expire'),
  purpose: fc.constantFrom('a', 'b', 'constructor', '__proto__x'),
  decision: fc.constantFrom(...DECISIONS),
  source: fc.constantFrom(...SOURCES),
  wait: fc.integer({ min: 0, max: 30 }),
  back: fc.constantFrom(null, 0, 0, 5, 60),
  life: fc.constantFrom(0, 10, 100),
  gpc: fc.constantFrom(undefined, undefined, true, false),
  vendors: fc.option(fc.array(vendor, { maxLength: 4 }), { nil: undefined }),
});

export const terms: Terms = {
  version: 1,
  retired: false,
  legalBasis: 'LEGITIMATE_INTERESTS',
  consentModel: 'NOTICE_ONLY',
  validityDays: null,
  notice: { locale: 'en', contentHash: 'sha256:0' },
};

/** Goes on from a state as only the decisions can. `name` keeps the ids of two histories apart. */
export function live(
  steps: readonly Step[],
  name: string,
  state: ConsentState = consentFold.initial(),
  from = START,
): ConsentEvent[] {
  const events: ConsentEvent[] = [];
  let now = from;
  for (const [i, { kind, purpose, decision, source, wait, back, life, gpc, vendors }] of steps.entries()) {
    now += wait * 60_000;
    const given = now - (back ?? 0) * 60_000;
    const ends = life > 0 && (decision === 'GRANTED' || decision === 'ACKNOWLEDGED');
    const decided =
      kind === 'expire'
        ? expireConsent(purpose, state, instantOf(now))
        : recordConsent(
            {
              recordId: derivedId('rec', now, `${name}/${i}`),
              purpose,
              decision,
              source,
              ...(back !== null && { givenAt: instantOf(given) }),
              ...(ends && { expiresAt: instantOf(given + life * 60_000) }),
              ...(gpc !== undefined && { signals: { gpc } }),
              ...(vendors && { vendors }),
              provenance: { keyId: 'key_x' },
            },
            terms,
            state,
            instantOf(now),
          );
    if (decided.refused) continue;
    for (const event of decided.events) {
      events.push(event);
      state = consentFold.evolve(state, event);
    }
  }
  return events;
}

export const steps = fc.array(step, { maxLength: 12 });
export const history = fc.array(step, { minLength: 1, maxLength: 25 }).map((happened) => live(happened, 'one'));

/** Of everything that is reached: whoever changes it in place is found out. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}
