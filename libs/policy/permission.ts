import type { PurposeCategory } from '../kernel/index.js';
import type { Silence } from './view.js';

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

/** Whether processing is permitted, and the reason in one word. */
export interface Permission {
  effective: Effective;
  reason: EffectiveReason;
}

/**
 * The standing of a purpose at a moment, the signal included: one column of the table.
 * NOTHING: the person has not decided. SIGNAL: Global Privacy Control binds, and no newer choice overrides it; an earlier
 * refusal still counts as REFUSED. CHANGED: granted for a version that was changed materially since.
 */
export const STANDS = ['NOTHING', 'REFUSED', 'SIGNAL', 'READ', 'GRANTED', 'CHANGED', 'EXPIRED'] as const;
export type Stand = (typeof STANDS)[number];

const allowed = (reason: EffectiveReason): Permission => ({ effective: 'ALLOWED', reason });
const blocked = (reason: EffectiveReason): Permission => ({ effective: 'BLOCKED', reason });

const [basis, byPlace, said] = [allowed('LEGAL_BASIS'), allowed('POLICY_DEFAULT'), allowed('EXPLICIT')];
const [refused, notHere, unasked] = [blocked('EXPLICIT'), blocked('POLICY_DEFAULT'), blocked('NEVER_ASKED')];
const [signal, renew, ended] = [blocked('SIGNAL_GPC'), blocked('RENEWAL_REQUIRED'), blocked('EXPIRED')];

/**
 * Every permission there is. Rows: the model of the purpose, and what silence means at the place for its category.
 * Columns: what stands, in the order of STANDS.
 * OPT_IN asks everywhere, since the controller promised to ask. OPT_OUT is opt-in where the place denies: there, a person
 * who has only read a notice has not consented.
 */
// prettier-ignore
export const PERMISSIONS: Readonly<Record<string, Readonly<Record<Silence, readonly Permission[]>>>> = {
  //                       NOTHING   REFUSED   SIGNAL   READ      GRANTED   CHANGED   EXPIRED
  ALWAYS_ON:   { GRANTED: [basis,    basis,    basis,   basis,    basis,    basis,    basis],
                 DENIED:  [basis,    basis,    basis,   basis,    basis,    basis,    basis] },
  NOTICE_ONLY: { GRANTED: [byPlace,  refused,  signal,  said,     said,     byPlace,  byPlace],
                 DENIED:  [notHere,  refused,  signal,  notHere,  said,     renew,    ended] },
  OPT_OUT:     { GRANTED: [byPlace,  refused,  signal,  said,     said,     byPlace,  byPlace],
                 DENIED:  [notHere,  refused,  signal,  notHere,  said,     renew,    ended] },
  OPT_IN:      { GRANTED: [unasked,  refused,  signal,  said,     said,     renew,    ended],
                 DENIED:  [unasked,  refused,  signal,  said,     said,     renew,    ended] },
};

/** What silence means for a purpose. A notice is enough in every place, but for what is sensitive. */
export const silenceOn = (
  { consentModel, category }: { consentModel: string; category: PurposeCategory },
  silence: Readonly<Record<PurposeCategory, Silence>>,
): Silence => (consentModel === 'NOTICE_ONLY' && category !== 'SENSITIVE' ? 'GRANTED' : silence[category]);

const COLUMN = Object.fromEntries(STANDS.map((stand, i) => [stand, i])) as Record<Stand, number>;

export const permissionFor = (consentModel: string, silence: Silence, stand: Stand): Permission =>
  PERMISSIONS[consentModel]![silence][COLUMN[stand]]!;
