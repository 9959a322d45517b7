import { decisionOn, stateAt, type ConsentState, type Decision } from '../consent/index.js';
import type { Instant, PurposeCategory } from '../kernel/index.js';
import type { DataRequestType } from './events.js';

/** What of a purpose decides whether a request is about it. */
export interface KnownPurpose {
  key: string;
  category: PurposeCategory;
  legalBasis: string;
  consentModel: string;
}

/** A decision that a request comes to. */
export interface RefusedPurpose {
  purpose: string;
  decision: Extract<Decision, 'DENIED' | 'WITHDRAWN' | 'OBJECTED'>;
}

/** The purposes that each opt-out of the law of the United States is about. */
const CATEGORIES: Readonly<Partial<Record<DataRequestType, readonly PurposeCategory[]>>> = {
  OPT_OUT_SALE_SHARE: ['SALE_SHARE'],
  OPT_OUT_TARGETED_ADS: ['MARKETING', 'SALE_SHARE'],
  OPT_OUT_PROFILING: ['PERSONALIZATION'],
  LIMIT_SENSITIVE: ['SENSITIVE'],
};

/** What a request of this type comes to on each purpose, in the order of the catalogue; nothing on what is refused already. */
export function refusedPurposes(
  type: DataRequestType,
  purposes: readonly KnownPurpose[],
  state: ConsentState,
  at: Instant,
): RefusedPurpose[] {
  return purposes.flatMap((purpose): RefusedPurpose[] => {
    const stands = stateAt(decisionOn(state, purpose.key), at);
    if (stands === 'DENIED' || stands === 'WITHDRAWN' || stands === 'OBJECTED') return [];
    const decision = decisionFor(type, purpose, stands === 'GRANTED');
    return decision ? [{ purpose: purpose.key, decision }] : [];
  });
}

function decisionFor(
  type: DataRequestType,
  { category, legalBasis, consentModel }: KnownPurpose,
  granted: boolean,
): RefusedPurpose['decision'] | null {
  const takesObjection = legalBasis === 'LEGITIMATE_INTERESTS' || consentModel === 'OPT_OUT';
  if (type === 'WITHDRAW_ALL') return granted ? 'WITHDRAWN' : null;
  if (type === 'OBJECTION') return takesObjection ? 'OBJECTED' : null;
  if (consentModel === 'ALWAYS_ON' || !CATEGORIES[type]?.includes(category)) return null;
  if (granted) return 'WITHDRAWN';
  return takesObjection ? 'OBJECTED' : 'DENIED';
}

/** Whether a request of this type also ends all messages that the subject can be without (GDPR art. 21(3)). */
export const endsMessages = (type: DataRequestType): boolean => type === 'WITHDRAW_ALL' || type === 'OBJECTION';
