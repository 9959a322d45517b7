import type { Purpose, PurposeState } from '../../client/types.js';

/** What a person can say about a purpose. */
export type OfferedDecision = 'GRANTED' | 'WITHDRAWN' | 'OBJECTED';

/**
 * The one thing that can be said next, as in the portal: a grant can be taken back as easily as it was given (GDPR
 * art. 7(3)), and given again. Null: nothing.
 */
export function offeredNext(
  { consentModel, legalBasis, status }: Pick<Purpose, 'consentModel' | 'legalBasis' | 'status'>,
  { state, effective }: Pick<PurposeState, 'state' | 'effective'>,
): OfferedDecision | null {
  const mayAgree = status === 'RETIRED' ? null : 'GRANTED';
  if (consentModel === 'OPT_IN') return state === 'GRANTED' ? 'WITHDRAWN' : mayAgree;
  const mayObject = consentModel === 'OPT_OUT' || legalBasis === 'LEGITIMATE_INTERESTS';
  if (consentModel === 'ALWAYS_ON' || !mayObject) return state === 'GRANTED' ? 'WITHDRAWN' : null;
  return effective === 'ALLOWED' ? 'OBJECTED' : mayAgree;
}
