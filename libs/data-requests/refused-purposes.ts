import type { UsCategory } from '../catalogue/index.js';
import { decisionOn, stateAt, type ConsentState, type Decision } from '../consent/index.js';
import type { Instant, PurposeCategory } from '../kernel/index.js';
import type { DataRequestType } from './events.js';

/** What of a purpose decides whether a request is about it. */
export interface KnownPurpose {
  key: string;
  category: PurposeCategory;
  legalBasis: string;
  consentModel: string;
  /** `us`: what it does with data in words of the law of the United States. Unknown words say nothing. */
  frameworks: { us: readonly string[] };
}

/** A decision that a request comes to. */
export interface RefusedPurpose {
  purpose: string;
  decision: Extract<Decision, 'DENIED' | 'WITHDRAWN' | 'OBJECTED'>;
}

/** The opt-outs of the law of the United States. */
type OptOut = Extract<
  DataRequestType,
  'OPT_OUT_SALE_SHARE' | 'OPT_OUT_TARGETED_ADS' | 'OPT_OUT_PROFILING' | 'LIMIT_SENSITIVE'
>;

const ADVERTISING: readonly string[] = ['SALE', 'SHARING', 'TARGETED_ADVERTISING'] satisfies UsCategory[];

/**
 * Whether an opt-out is about a purpose. What its `frameworks.us` says decides; a purpose that says nothing there is
 * known by its category. California calls "sharing" what other states call targeted advertising (Cal. Civ. Code
 * § 1798.140(ah)), so that either word is reached by the opt-out from the other, as in the GPP strings.
 */
const IS_ABOUT: Readonly<Record<OptOut, (purpose: KnownPurpose) => boolean>> = {
  OPT_OUT_SALE_SHARE: ({ category, frameworks: { us } }) => category === 'SALE_SHARE' || us.some(isAdvertising),
  OPT_OUT_TARGETED_ADS: ({ category, frameworks: { us } }) =>
    us.some(isAdvertising)
      ? us.includes('TARGETED_ADVERTISING') || us.includes('SHARING')
      : category === 'MARKETING' || category === 'SALE_SHARE',
  // No word of the law's is about profiling.
  OPT_OUT_PROFILING: ({ category }) => category === 'PERSONALIZATION',
  LIMIT_SENSITIVE: ({ category, frameworks: { us } }) =>
    category === 'SENSITIVE' || us.some((word) => word.startsWith('SENSITIVE_')),
};

const isOptOut = (type: DataRequestType): type is OptOut => Object.hasOwn(IS_ABOUT, type);
const isAdvertising = (word: string): boolean => ADVERTISING.includes(word);

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
  purpose: KnownPurpose,
  granted: boolean,
): RefusedPurpose['decision'] | null {
  const { legalBasis, consentModel } = purpose;
  const takesObjection = legalBasis === 'LEGITIMATE_INTERESTS' || consentModel === 'OPT_OUT';
  if (type === 'WITHDRAW_ALL') return granted ? 'WITHDRAWN' : null;
  if (type === 'OBJECTION') return takesObjection ? 'OBJECTED' : null;
  if (consentModel === 'ALWAYS_ON' || !isOptOut(type) || !IS_ABOUT[type](purpose)) return null;
  if (granted) return 'WITHDRAWN';
  return takesObjection ? 'OBJECTED' : 'DENIED';
}

/** Whether a request of this type also ends all messages that the subject can be without (GDPR art. 21(3)). */
export const endsMessages = (type: DataRequestType): boolean => type === 'WITHDRAW_ALL' || type === 'OBJECTION';
