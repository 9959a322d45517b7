import { sameUlid, type Instant, type PurposeCategory } from '../kernel/index.js';
import {
  permissionFor,
  silenceOn,
  type Effective,
  type EffectiveReason,
  type Permission,
  type Silence,
  type Stand,
} from '../policy/index.js';
import type { Circumstances } from './circumstances.js';
import type { ConsentRecordedData, ConsentStateName } from './events.js';
import { datedThrough } from './precedence.js';
import { STAND_OF } from './stands.js';
import { decisionOn, stateAt, type ConsentState, type PurposeConsent } from './state.js';

export const RENEWAL_REASONS = ['PURPOSE_VERSION_CHANGED', 'EXPIRED', 'VENDORS_ASK_MORE'] as const;

/** What the view needs to know of a published purpose at the moment it is shown. */
export interface PurposeInForce {
  key: string;
  version: number;
  legalBasis: string;
  consentModel: string;
  category: PurposeCategory;
  /** Whether Global Privacy Control reaches this purpose (sale, sharing, targeted advertising). */
  gpc: boolean;
  /** Newest version in force that was a MATERIAL change: an older grant wants renewal. */
  lastMaterialVersion: number;
  /** Since when a TCF vendor asks for more that belongs to this purpose: an older grant wants renewal. Null: none does. */
  vendorsAskMoreSince: Instant | null;
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
  const { effective, reason } = weigh(purpose, state, circumstances).permission;
  return {
    state: stateAt(consent, circumstances.at),
    effective,
    effectiveReason: reason,
    purposeVersion: consent?.purposeVersion ?? null,
    givenAt: consent?.givenAt ?? null,
    recordedAt: consent?.recordedAt ?? null,
    expiresAt: consent?.expiresAt ?? null,
    source: consent?.source ?? null,
    renewal: renewalOf(purpose, consent, circumstances.at),
    receiptId: consent ? sameUlid('rct', consent.recordId) : null,
  };
}

/** Whether to ask again, and why. */
export function renewalOf(
  purpose: PurposeInForce,
  consent: PurposeConsent | undefined,
  at: Instant,
): PurposeView['renewal'] {
  const state = stateAt(consent, at);
  if (state === 'EXPIRED') return { required: true, reason: 'EXPIRED' };
  if (state === 'GRANTED' && isOutdated(purpose, consent!))
    return { required: true, reason: 'PURPOSE_VERSION_CHANGED' };
  if (state === 'GRANTED' && isOfOtherVendors(purpose, consent!)) return { required: true, reason: 'VENDORS_ASK_MORE' };
  return { required: false, reason: null };
}

/** Granted for a version that was changed materially since. */
export const isOutdated = (purpose: PurposeInForce, consent: PurposeConsent): boolean =>
  consent.purposeVersion < purpose.lastMaterialVersion;

/**
 * Granted before a vendor asked for more. What was granted stays granted, since strings name the list that was in use
 * then, by which that vendor did not have more: only what came since wants to be asked about.
 */
const isOfOtherVendors = ({ vendorsAskMoreSince }: PurposeInForce, { givenAt }: PurposeConsent): boolean =>
  vendorsAskMoreSince !== null && givenAt < vendorsAskMoreSince;

/** What decides, and what comes of it. */
export interface Weighed {
  stand: Stand;
  silence: Silence;
  permission: Permission;
}

/** Finds row and column in the table of permissions. */
export function weigh(purpose: PurposeInForce, state: ConsentState, circumstances: Circumstances): Weighed {
  const stand = standOn(purpose, state, circumstances);
  const silence = silenceOn(purpose, circumstances.silence);
  return { stand, silence, permission: permissionFor(purpose.consentModel, silence, stand) };
}

function standOn(purpose: PurposeInForce, state: ConsentState, circumstances: Circumstances): Stand {
  const consent = decisionOn(state, purpose.key);
  const stand = STAND_OF[stateAt(consent, circumstances.at)];
  if (stand === 'REFUSED') return stand;
  if (signalOn(purpose, state, circumstances) === 'BINDS') return 'SIGNAL';
  return stand === 'GRANTED' && isOutdated(purpose, consent!) ? 'CHANGED' : stand;
}

/** What Global Privacy Control does to a purpose: nothing where it is off, out of reach, or the person refused anyway. */
export function signalOn(
  purpose: PurposeInForce,
  state: ConsentState,
  { at, gpcOnRequest, dated }: Circumstances,
): 'OFF' | 'IDLE' | 'BINDS' | 'OVERRIDDEN' {
  if (!purpose.gpc || !(gpcOnRequest || state.gpc?.active === true)) return 'OFF';
  const consent = decisionOn(state, purpose.key);
  const raw = stateAt(consent, at);
  if (STAND_OF[raw] === 'REFUSED') return 'OFF';
  if (dated.rule.gpc !== 'BINDING') return 'IDLE';
  return overridesGpc(raw, consent, state) ? 'OVERRIDDEN' : 'BINDS';
}

/** Only a grant about this purpose, given since the signal was first heard, weighs more than the signal; without a date it may be older. */
function overridesGpc(raw: ConsentStateName, consent: PurposeConsent | undefined, state: ConsentState): boolean {
  return raw === 'GRANTED' && consent!.specific && state.gpc !== null && datedThrough(consent!) >= state.gpc.since;
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
