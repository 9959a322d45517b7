import {
  epochMs,
  happened,
  parseUrl,
  plusMs,
  type Decision as Decided,
  type Instant,
  type Refusal,
} from '../kernel/index.js';
import type { Presentation, Terms } from '../catalogue/index.js';
import { siteRuleAt } from '../policy/index.js';
import { whereaboutsOf } from './circumstances.js';
import type {
  Actor,
  Collection,
  ConsentEvent,
  ConsentRecordedData,
  Decision,
  EvidenceItem,
  Jurisdiction,
  Provenance,
  Signals,
  Source,
  VendorDecision,
} from './events.js';
import { isUndated } from './precedence.js';
import { consentRefusals } from './refusals.js';
import {
  decisionOn,
  isRefusing,
  stateAt,
  supersedes,
  transition,
  type ConsentState,
  type KnownPlace,
  type PurposeConsent,
} from './state.js';

const FUTURE_TOLERANCE_MS = 5 * 60_000;
const OLDEST_BY_SUBJECT_MS = 24 * 3_600_000;
const DAY_MS = 86_400_000;

export interface RecordConsent {
  recordId: string;
  purpose: string;
  decision: Decision;
  source: Source;
  givenAt?: Instant;
  expiresAt?: Instant;
  jurisdiction?: Jurisdiction;
  collection?: Collection;
  presentation?: Presentation;
  signals?: Signals;
  actor?: Actor;
  vendors?: VendorDecision[];
  evidence?: EvidenceItem[];
  metadata?: Record<string, unknown>;
  provenance: Provenance;
}

/**
 * The part of the decision that needs no history: asked before anything is written, so that a refused request
 * leaves no subject behind. `at` is the server's clock.
 */
export function checkRecord(
  command: RecordConsent,
  terms: Terms,
  at: Instant,
  /** Where the subject was before, else the subject's own country, as far as either is known. */
  before: Where | null = null,
): Refusal | null {
  const { decision } = command;
  if (terms.retired && (decision === 'GRANTED' || decision === 'ACKNOWLEDGED')) return consentRefusals.purposeRetired();
  if (decision === 'OBJECTED' && terms.legalBasis !== 'LEGITIMATE_INTERESTS' && terms.consentModel !== 'OPT_OUT')
    return consentRefusals.objectionNotAllowed();
  if (decision === 'ACKNOWLEDGED' && terms.consentModel !== 'NOTICE_ONLY')
    return consentRefusals.acknowledgementNotAllowed();
  const givenAt = command.givenAt ?? at;
  if (epochMs(givenAt) > epochMs(at) + FUTURE_TOLERANCE_MS) return consentRefusals.givenInFuture();
  if (command.source === 'API' && epochMs(givenAt) < epochMs(at) - OLDEST_BY_SUBJECT_MS)
    return consentRefusals.givenTooLongAgo();
  return checkExpiry(command, longestLife(command, terms, givenAt, before), givenAt);
}

function checkExpiry({ decision, expiresAt }: RecordConsent, longest: Life, givenAt: Instant): Refusal | null {
  if (expiresAt === undefined) return null;
  if (decision !== 'GRANTED' && decision !== 'ACKNOWLEDGED') return consentRefusals.expiryNotAllowed();
  if (expiresAt <= givenAt) return consentRefusals.expiryBeforeGiven();
  const latest = endOf(longest, givenAt);
  return latest !== null && expiresAt > latest ? consentRefusals.expiryTooLate(latest, longest.rule) : null;
}

type Where = Pick<KnownPlace, 'country' | 'region'>;

/** For how long a decision can stand. */
interface Life {
  /** Null: without end. */
  days: number | null;
  /** The rule of law that limits it; null where the purpose does, or nothing. */
  rule: string | null;
}

/**
 * What the purpose allows, and for a grant what the law of its place allows: of the record's place, else of where the
 * subject was before, else of the subject's own country. Without a place no law ends a grant.
 */
function longestLife(
  { decision, jurisdiction }: RecordConsent,
  { validityDays, ownRules = [] }: Terms,
  givenAt: Instant,
  before: Where | null,
): Life {
  const byPurpose: Life = { days: validityDays, rule: null };
  const place = jurisdiction ?? before;
  if (decision !== 'GRANTED' || !place) return byPurpose;
  const { id, rule } = siteRuleAt(ownRules, whereaboutsOf(place), givenAt);
  const days = rule.consentValidityDays;
  return days === null || (validityDays !== null && validityDays <= days) ? byPurpose : { days, rule: id };
}

const endOf = ({ days }: Life, givenAt: Instant): Instant | null =>
  days === null ? null : plusMs(givenAt, days * DAY_MS);

/** One record = one decision of one subject on one purpose. Always one event: a repeated choice is evidence too. */
export function recordConsent(
  command: RecordConsent,
  terms: Terms,
  state: ConsentState,
  at: Instant,
  /** The subject's own country in clear, where no record named a place before. */
  ownCountry: string | null = null,
): Decided<ConsentEvent> {
  const before = state.place ?? (ownCountry === null ? null : { country: ownCountry });
  const refused = checkRecord(command, terms, at, before);
  if (refused) return refused;
  const current = decisionOn(state, command.purpose);
  const givenAt = command.givenAt ?? undatedAt(command, current, at);
  const ends = command.decision === 'GRANTED' || command.decision === 'ACKNOWLEDGED';
  const undated = isUndated(command) && { undated: true as const };
  const applies = supersedes({ givenAt, decision: command.decision, source: command.source, ...undated }, current);
  const previousState = stateAt(current, applies ? givenAt : at);
  const data: ConsentRecordedData = {
    recordId: command.recordId,
    purpose: command.purpose,
    purposeVersion: terms.version,
    decision: command.decision,
    previousState,
    state: applies ? transition(previousState, command.decision) : previousState,
    appliedToState: applies,
    supersededBy: applies ? null : current!.recordId,
    source: command.source,
    givenAt,
    ...undated,
    recordedAt: at,
    expiresAt: command.expiresAt ?? (ends ? endOf(longestLife(command, terms, givenAt, before), givenAt) : null),
    ...(command.jurisdiction && { jurisdiction: command.jurisdiction }),
    ...(command.collection && { collection: keptCollection(command.collection) }),
    ...(command.presentation && { presentation: command.presentation }),
    ...(command.signals && { signals: command.signals }),
    actor: command.actor ?? { type: 'SUBJECT' },
    ...(command.vendors && { vendors: command.vendors }),
    ...(command.evidence && { evidence: command.evidence.map(withoutQuery) }),
    ...(command.metadata && { metadata: command.metadata }),
    notice: terms.notice,
    provenance: command.provenance,
  };
  return happened({ type: 'ConsentRecorded', data });
}

/**
 * When a decision was given whose request does not say so: now. A refusal is not kept waiting by a clock that ran ahead when
 * the decision that stands was dated: it is given at that moment then, and at equal times a refusal stands.
 */
function undatedAt({ decision, source }: RecordConsent, current: PurposeConsent | undefined, at: Instant): Instant {
  const isAhead = source === 'API' && isRefusing(decision) && current !== undefined && current.givenAt > at;
  return isAhead ? current.givenAt : at;
}

/** Says in the log that a grant has run out; nothing where it was renewed, withdrawn or said before. */
export function expireConsent(purpose: string, state: ConsentState, at: Instant): Decided<ConsentEvent> {
  const current = decisionOn(state, purpose);
  if (!current || current.state === 'EXPIRED' || stateAt(current, at) !== 'EXPIRED') return happened();
  return happened({
    type: 'ConsentExpired',
    data: { recordId: current.recordId, purpose, expiredAt: current.expiresAt! },
  });
}

/**
 * What is kept of how a decision was collected. Data minimisation (GDPR art. 5(1)(c)): of a page's address only origin and
 * path are evidence. What a presentation token says is kept beside it, and not the token.
 */
export function keptCollection({ presentationToken: _, ...collection }: Collection): Collection {
  return collection.url === undefined ? collection : { ...collection, url: originAndPath(collection.url) };
}

const withoutQuery = (item: EvidenceItem): EvidenceItem =>
  item.uri === undefined ? item : { ...item, uri: originAndPath(item.uri) };

/** Of an address its scheme, host and path; nothing of what cannot be read. User info, query and fragment are dropped. */
export function originAndPath(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed) return '';
  const { protocol, host, pathname } = parsed;
  return host === '' ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`;
}
