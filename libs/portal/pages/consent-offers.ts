import type { PurposeView } from '../../consent/index.js';

/** What a person can choose about a purpose on the page. */
export type Offered = 'GRANTED' | 'WITHDRAWN' | 'OBJECTED';

/** The one thing that can be said next: a grant can be taken back as easily as it was given (GDPR art. 7(3)), and again. */
export function offeredOn(
  purpose: { consentModel: string; legalBasis: string; status: string },
  { state, effective }: Pick<PurposeView, 'state' | 'effective'>,
): Offered | null {
  const { consentModel, legalBasis, status } = purpose;
  const isRetired = status === 'RETIRED';
  const mayObject = consentModel === 'OPT_OUT' || legalBasis === 'LEGITIMATE_INTERESTS';
  if (consentModel === 'OPT_IN') {
    if (state === 'GRANTED') return 'WITHDRAWN';
    return isRetired ? null : 'GRANTED';
  }
  if (consentModel === 'ALWAYS_ON' || !mayObject) return state === 'GRANTED' ? 'WITHDRAWN' : null;
  if (effective === 'ALLOWED') return 'OBJECTED';
  return isRetired ? null : 'GRANTED';
}
