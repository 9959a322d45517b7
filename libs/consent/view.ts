import { sameUlid, type Instant } from '../kernel/index.js';
import type { ConsentRecordedData, ConsentStateName } from './events.js';
import { decisionOn, stateAt, type ConsentState, type PurposeConsent } from './state.js';

export const EFFECTIVE = ['ALLOWED', 'BLOCKED'] as const;
export type Effective = (typeof EFFECTIVE)[number];
export const EFFECTIVE_REASONS = [
  'EXPLICIT',
  'POLICY_DEFAULT',
  'SIGNAL_GPC',
  'LEGAL_BASIS',
  'EXPIRED',
  'RENEWAL_REQUIRED',
  'NEVER_ASKED',
  'ERASED',
] as const;
export type EffectiveReason = (typeof EFFECTIVE_REASONS)[number];
export const RENEWAL_REASONS = ['PURPOSE_VERSION_CHANGED', 'EXPIRED'] as const;

/** What the view needs to know of a published purpose at the moment it is shown. */
export interface PurposeInForce {
  key: string;
  version: number;
  legalBasis: string;
  consentModel: string;
  /** Whether Global Privacy Control reaches this purpose (sale, sharing, targeted advertising). */
  gpc: boolean;
  /** Newest version in force that was a MATERIAL change: an older grant wants renewal. */
  lastMaterialVersion: number;
}

/** The circumstances of one reading: all that is not in the log. */
export interface Circumstances {
  at: Instant;
  /** Whether the law of the place makes Global Privacy Control binding. */
  gpcBinds: boolean;
  /** The signal on this very request, which is applied without being recorded. */
  gpcOnRequest: boolean;
}

/** One link in the chain from record to permission, in the order in which they were weighed. */
export interface Reasoning {
  step: 'PURPOSE' | 'RECORD' | 'CLOCK' | 'VERSION' | 'SIGNAL' | 'POLICY' | 'RESULT';
  text: string;
}

export interface PurposeView {
  state: ConsentStateName;
  effective: Effective;
  effectiveReason: EffectiveReason;
  purposeVersion: number | null;
  givenAt: Instant | null;
  recordedAt: Instant | null;
  expiresAt: Instant | null;
  source: string | null;
  renewal: { required: boolean; reason: (typeof RENEWAL_REASONS)[number] | null };
  receiptId: string | null;
}

/** Raw state and permission, kept apart: what was said, and what may be done. */
export function purposeView(purpose: PurposeInForce, state: ConsentState, circumstances: Circumstances): PurposeView {
  const consent = decisionOn(state, purpose.key);
  const { effective, reason } = permission(purpose, state, circumstances);
  return {
    state: stateAt(consent, circumstances.at),
    effective,
    effectiveReason: reason,
    purposeVersion: consent?.purposeVersion ?? null,
    givenAt: consent?.givenAt ?? null,
    recordedAt: consent?.recordedAt ?? null,
    expiresAt: consent?.expiresAt ?? null,
    source: consent?.source ?? null,
    renewal: renewal(purpose, consent, circumstances.at),
    receiptId: consent ? sameUlid('rct', consent.recordId) : null,
  };
}

function renewal(purpose: PurposeInForce, consent: PurposeConsent | undefined, at: Instant): PurposeView['renewal'] {
  const state = stateAt(consent, at);
  if (state === 'EXPIRED') return { required: true, reason: 'EXPIRED' };
  if (state === 'GRANTED' && outdated(purpose, consent!)) return { required: true, reason: 'PURPOSE_VERSION_CHANGED' };
  return { required: false, reason: null };
}

const outdated = (purpose: PurposeInForce, consent: PurposeConsent): boolean =>
  consent.purposeVersion < purpose.lastMaterialVersion;

/** Why a use is allowed or blocked; `because` is the same answer told step by step. */
export function permission(
  purpose: PurposeInForce,
  state: ConsentState,
  { at, gpcBinds, gpcOnRequest }: Circumstances,
): { effective: Effective; reason: EffectiveReason; because: Reasoning[] } {
  const because: Reasoning[] = [
    {
      step: 'PURPOSE',
      text: `Version ${purpose.version}, legal basis ${purpose.legalBasis}, model ${purpose.consentModel}.`,
    },
  ];
  const answer = (effective: Effective, reason: EffectiveReason) => {
    because.push({ step: 'RESULT', text: `${effective} (${reason}).` });
    return { effective, reason, because };
  };
  if (purpose.consentModel === 'ALWAYS_ON') return answer('ALLOWED', 'LEGAL_BASIS');

  const consent = decisionOn(state, purpose.key);
  const raw = stateAt(consent, at);
  because.push(
    consent
      ? {
          step: 'RECORD',
          text: `${consent.recordId}: ${consent.decision} given at ${consent.givenAt}, source ${consent.source}.`,
        }
      : { step: 'RECORD', text: 'No decision was recorded.' },
  );
  if (raw === 'DENIED' || raw === 'WITHDRAWN' || raw === 'OBJECTED') return answer('BLOCKED', 'EXPLICIT');

  const signalled = gpcOnRequest || state.gpc?.active === true;
  if (signalled && purpose.gpc) {
    because.push({
      step: 'SIGNAL',
      text: gpcBinds
        ? 'Global Privacy Control is on and binds here.'
        : 'Global Privacy Control is on but does not bind here.',
    });
    if (gpcBinds && !overridesGpc(raw, consent, state)) return answer('BLOCKED', 'SIGNAL_GPC');
    if (gpcBinds)
      because.push({ step: 'SIGNAL', text: 'A newer choice about this very purpose overrides the signal.' });
  }
  if (raw === 'ACKNOWLEDGED') return answer('ALLOWED', 'EXPLICIT');
  if (raw === 'GRANTED') {
    if (!outdated(purpose, consent!)) return answer('ALLOWED', 'EXPLICIT');
    because.push({
      step: 'VERSION',
      text: `Granted for version ${consent!.purposeVersion}; version ${purpose.lastMaterialVersion} changed it materially.`,
    });
    if (purpose.consentModel === 'OPT_IN') return answer('BLOCKED', 'RENEWAL_REQUIRED');
  }
  if (raw === 'EXPIRED') {
    because.push({ step: 'CLOCK', text: `Ran out at ${consent!.expiresAt}.` });
    if (purpose.consentModel === 'OPT_IN') return answer('BLOCKED', 'EXPIRED');
  }
  because.push({
    step: 'POLICY',
    text:
      purpose.consentModel === 'OPT_IN' ? 'Without a grant the model blocks.' : 'Without a refusal the model allows.',
  });
  return purpose.consentModel === 'OPT_IN' ? answer('BLOCKED', 'NEVER_ASKED') : answer('ALLOWED', 'POLICY_DEFAULT');
}

/** Only a grant about this purpose, given since the signal was first heard, weighs more than the signal. */
function overridesGpc(raw: ConsentStateName, consent: PurposeConsent | undefined, state: ConsentState): boolean {
  return raw === 'GRANTED' && consent!.specific && state.gpc !== null && consent!.givenAt >= state.gpc.since;
}

/** The answer to a recording: built from the stored event alone, so that a replay is the same to the byte. */
export interface ConsentRecordView {
  id: string;
  object: 'consent_record';
  subject: { id: string };
  purpose: string;
  purposeVersion: number;
  decision: string;
  state: ConsentStateName;
  previousState: ConsentStateName;
  source: string;
  givenAt: Instant;
  recordedAt: Instant;
  expiresAt: Instant | null;
  sequence: number;
  receiptId: string;
  appliedToState: boolean;
  supersededBy: string | null;
}

export function recordView(subjectId: string, sequence: number, data: ConsentRecordedData): ConsentRecordView {
  return {
    id: data.recordId,
    object: 'consent_record',
    subject: { id: subjectId },
    purpose: data.purpose,
    purposeVersion: data.purposeVersion,
    decision: data.decision,
    state: data.state,
    previousState: data.previousState,
    source: data.source,
    givenAt: data.givenAt,
    recordedAt: data.recordedAt,
    expiresAt: data.expiresAt,
    sequence,
    receiptId: sameUlid('rct', data.recordId),
    appliedToState: data.appliedToState,
    supersededBy: data.supersededBy,
  };
}
