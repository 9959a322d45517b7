import type { Banner, BatchItem, ConsentState } from '../client/types.js';

/** What is decided on, as the banner shows it. */
export type ShownPurpose = Pick<
  Banner['purposes'][number],
  'key' | 'version' | 'name' | 'description' | 'category' | 'consentModel' | 'gpc' | 'default' | 'locked'
>;

export interface Choice {
  purpose: string;
  purposeVersion: number;
  decision: Decision;
  /** What was decided about single vendors with it. */
  vendors?: BatchItem['vendors'];
}
type Decision = BatchItem['decision'];

/**
 * What a click says about each purpose. A notice can be read and nothing else; what cannot be chosen is not said anything
 * about. `chosen`: by key, what is ticked.
 */
export function choicesOf(
  action: string,
  purposes: readonly ShownPurpose[],
  chosen: Readonly<Record<string, boolean>>,
): Choice[] {
  const refusal = ({ consentModel }: ShownPurpose): Decision => (consentModel === 'OPT_OUT' ? 'OBJECTED' : 'DENIED');
  const decisionOn = (purpose: ShownPurpose): Decision | null => {
    const isNotice = purpose.consentModel === 'NOTICE_ONLY';
    if (action === 'ACKNOWLEDGE') return isNotice ? 'ACKNOWLEDGED' : null;
    if (action === 'ACCEPT_ALL') return isNotice ? 'ACKNOWLEDGED' : 'GRANTED';
    if (isNotice) return null;
    if (action === 'REJECT_ALL') return refusal(purpose);
    if (action === 'SAVE') return chosen[purpose.key] ? 'GRANTED' : refusal(purpose);
    // DO_NOT_SELL: what Global Privacy Control would object to.
    return purpose.gpc || purpose.category === 'SALE_SHARE' ? refusal(purpose) : null;
  };
  return purposes.flatMap((purpose) => {
    const decision = purpose.locked ? null : decisionOn(purpose);
    return decision === null ? [] : [{ purpose: purpose.key, purposeVersion: purpose.version, decision }];
  });
}

/**
 * What stays ticked where a banner takes the place of another: of purposes that are asked for in the same words. A box
 * that is ticked already asks for nothing (GDPR recital 32, CJEU C-673/17 Planet49).
 */
export function ticksKept(
  ticked: Readonly<Record<string, boolean>>,
  versions: Readonly<Record<string, number>>,
  purposes: readonly Pick<ShownPurpose, 'key' | 'version'>[],
): Record<string, boolean> {
  const same = purposes.filter(({ key, version }) => key in ticked && versions[key] === version);
  return Object.fromEntries(same.map(({ key }) => [key, ticked[key]!]));
}

/**
 * Whether an answer does not cover what is asked for now: a purpose wants renewal, or nothing was said about it and it was
 * not among those that were asked for.
 */
export const asksAgain = ({ purposes }: Pick<ConsentState, 'purposes'>, askedFor: readonly string[]): boolean =>
  Object.entries(purposes).some(
    ([key, purpose]) =>
      purpose!.renewal.required || (purpose!.effectiveReason === 'NEVER_ASKED' && !askedFor.includes(key)),
  );
