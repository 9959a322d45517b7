import { POLICY_AS_OF, type DatedRule, type Permission, type Silence } from '../policy/index.js';
import type { Circumstances, PlacedBy } from './circumstances.js';
import { decisionOn, type ConsentState, type PurposeConsent } from './state.js';
import { signalOn, weigh, type PurposeInForce } from './view.js';

/** One link in the chain from record to permission, in the order in which they were weighed. */
export interface Reasoning {
  step: 'PURPOSE' | 'RECORD' | 'POLICY' | 'SIGNAL' | 'VERSION' | 'CLOCK' | 'RESULT';
  text: string;
}

const KNOWN_BY: Readonly<Record<PlacedBy, string>> = {
  REQUEST: 'which the request names',
  PROXY: 'which the proxy names',
  RECORD: 'which the newest record names',
  SUBJECT: 'which is known as the subject’s own',
  NOTHING: '',
};

/** Why a purpose is allowed or blocked. The last line is the permission itself. */
export function explanation(
  purpose: PurposeInForce,
  state: ConsentState,
  circumstances: Circumstances,
): Permission & { because: Reasoning[] } {
  const { stand, silence, permission } = weigh(purpose, state, circumstances);
  const { consentModel, category } = purpose;
  const { dated } = circumstances;
  const consent = decisionOn(state, purpose.key);
  const signal = signalOn(purpose, state, circumstances);
  const because: (Reasoning | false)[] = [
    { step: 'PURPOSE', text: `Version ${purpose.version}, legal basis ${purpose.legalBasis}, model ${consentModel}.` },
    { step: 'RECORD', text: consent ? recordText(consent) : 'No decision was recorded.' },
    consent?.passedOver !== undefined && { step: 'RECORD', text: passedOverText(consent.passedOver) },
    { step: 'POLICY', text: `${named(dated, circumstances.placedBy)} ${meaning(consentModel, category, silence)}` },
    signal === 'IDLE' && { step: 'SIGNAL', text: 'Global Privacy Control is on but does not bind here.' },
    (signal === 'BINDS' || signal === 'OVERRIDDEN') && {
      step: 'SIGNAL',
      text: 'Global Privacy Control is on and binds here.',
    },
    signal === 'OVERRIDDEN' && { step: 'SIGNAL', text: 'A newer choice about this very purpose overrides the signal.' },
    stand === 'CHANGED' && {
      step: 'VERSION',
      text: `Granted for version ${consent!.purposeVersion}; version ${purpose.lastMaterialVersion} changed it materially.`,
    },
    stand === 'EXPIRED' && { step: 'CLOCK', text: `Ran out at ${consent!.expiresAt}.` },
    { step: 'RESULT', text: `${permission.effective} (${permission.reason}).` },
  ];
  const told = because.filter((each) => each !== false);
  return {
    ...permission,
    // What needs no consent depends on nothing else.
    because: consentModel === 'ALWAYS_ON' ? [told[0]!, told.at(-1)!] : told,
  };
}

const recordText = ({ recordId, decision, givenAt, recordedAt, source, undated }: PurposeConsent): string =>
  undated
    ? `${recordId}: ${decision} without a date, recorded at ${recordedAt}, source ${source}.`
    : `${recordId}: ${decision} given at ${givenAt}, source ${source}.`;

const passedOverText = ({
  recordId,
  decision,
  recordedAt,
  source,
}: NonNullable<PurposeConsent['passedOver']>): string =>
  `${recordId}: ${decision} without a date, recorded at ${recordedAt}, source ${source}, does not count: an undated claim never stands above a refusal.`;

/** The rule by its id, how its place is known, the decisive act with its source, and the day on which that was read. */
function named({ id, rule, place, overriddenBy = [] }: DatedRule, placedBy: PlacedBy): string {
  const [act] = rule.regulations;
  const where = place ? `of ${place.name}, ${KNOWN_BY[placedBy]}` : `the strictest, ${whyFallback(placedBy)}`;
  const source = act ? `${act.key}: ${act.source}` : 'no act is known';
  const changed = overriddenBy.map(({ who, why }) => `; changed by ${who}: ${why}`).join('');
  return `Rule ${id}, ${where} (${source}; read on ${POLICY_AS_OF}${changed}).`;
}

const whyFallback = (placedBy: PlacedBy): string =>
  placedBy === 'NOTHING' ? 'since no place is known' : `since none is known of the place, ${KNOWN_BY[placedBy]}`;

/** What follows from the rule, or that it follows from the model of the purpose, which no rule changes. */
function meaning(consentModel: string, category: string, silence: Silence): string {
  if (consentModel === 'OPT_IN') return 'Whatever it says, an OPT_IN purpose needs a grant in every place.';
  if (consentModel === 'NOTICE_ONLY' && category !== 'SENSITIVE')
    return 'Whatever it says, a NOTICE_ONLY purpose needs no grant in any place; a refusal blocks it.';
  return silence === 'GRANTED'
    ? `Under it ${category} needs no grant; a refusal blocks it.`
    : `Under it ${category} needs a grant.`;
}
