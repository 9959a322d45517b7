import type { Jurisdiction } from '../consent/index.js';
import { isForgotten, type Instant } from '../kernel/index.js';
import type {
  UNPROVEN_REASONS,
  CancellationReason,
  CompletionOutcome,
  Correction,
  DataRequestStateName,
  DataRequestType,
  HoldReason,
  RejectionReason,
  RequestEffect,
  RequesterType,
  RequestSource,
  RequestTerms,
  RequestVerification,
} from './events.js';
import { isDoubtful, isOpen, type DataRequest } from './state.js';

export const VERIFICATION_STATUSES = ['NOT_REQUIRED', 'PENDING', 'VERIFIED'] as const;

/** A request as lists show it: nothing of what people wrote. */
export interface ListedDataRequest {
  id: string;
  object: 'data_request';
  subject: { id: string };
  type: DataRequestType;
  state: DataRequestStateName;
  regulation: string | null;
  jurisdiction: { country: string; region: string | null; source?: Jurisdiction['source'] } | null;
  receivedAt: Instant;
  acknowledgeBy: Instant | null;
  /** When it must be answered without an extension; null: the clock stands still, or the law sets no period. */
  dueAt: Instant | null;
  /** The same with its extension; null: it was not extended, or the clock stands still. */
  extendedDueAt: Instant | null;
  overdue: boolean;
  clock: { running: boolean; pausedSince: Instant | null };
  holdReason: HoldReason | null;
  verification: {
    status: (typeof VERIFICATION_STATUSES)[number];
    method: RequestVerification | null;
    verifiedAt: Instant | null;
    expiresAt: Instant | null;
    /** Why what the requester proved is not enough; null: it is, or nothing was proved. */
    reason: (typeof UNPROVEN_REASONS)[number] | null;
  };
  source: RequestSource;
  duplicateOf: string | null;
  reasonCode: RejectionReason | CancellationReason | null;
  completing: CompletionOutcome | null;
  effect: RequestEffect | null;
  closedAt: Instant | null;
  /** Id of the operator who works on it. */
  assignee: string | null;
  updatedAt: Instant;
}

/** A request with all that was said of it; what was forgotten with its subject is null. */
export interface DataRequestView extends ListedDataRequest {
  /** Language of the requester, BCP 47. */
  locale: string | null;
  details: string | null;
  /** As it was completed, else as the requester asked for it. */
  corrections: readonly Correction[];
  requester: { type: RequesterType; name: string | null; email: string | null; evidence: string | null };
  /** What the law of the place said of its dates when it came in. */
  period: Pick<RequestTerms, 'rule' | 'dueDays' | 'unit' | 'extensionDays' | 'clockStops'>;
  note: string | null;
  /** What operators wrote down about it, oldest first. */
  notes: readonly { at: Instant; by: string; text: string | null }[];
  history: readonly { state: DataRequestStateName; at: Instant }[];
}

/** What the requester of an archive can still do. */
export interface ArchiveOutlook {
  /** Until when it is kept. */
  keptUntil: Instant;
  /** When it was fetched last; null: never. */
  fetchedAt: Instant | null;
  /** Whether it can be fetched now: it was not fetched yet, or a link was made since. */
  isOffered: boolean;
}

export function listedView(request: DataRequest, at: Instant): ListedDataRequest {
  const { verification, jurisdiction, dueAt, extendedAt, pauses, completing } = request;
  const pausedSince = pauses.find(({ to }) => to === null)?.from ?? null;
  const open = isOpen(request);
  return {
    id: request.id,
    object: 'data_request',
    subject: { id: request.subjectId },
    type: request.type,
    state: request.state,
    regulation: request.regulation,
    jurisdiction: jurisdiction && { ...jurisdiction, region: jurisdiction.region ?? null },
    receivedAt: request.receivedAt,
    acknowledgeBy: request.acknowledgeBy,
    dueAt: request.firstDueAt,
    extendedDueAt: extendedAt === null ? null : dueAt,
    overdue: open && dueAt !== null && dueAt <= at,
    clock: { running: open && pausedSince === null, pausedSince: open ? pausedSince : null },
    holdReason: request.holdReason,
    verification: {
      status: verification.verifiedAt !== null ? 'VERIFIED' : verification.required ? 'PENDING' : 'NOT_REQUIRED',
      method: verification.method,
      verifiedAt: verification.verifiedAt,
      expiresAt: verification.expiresAt,
      reason: isDoubtful(request) ? verification.unproven!.reason : null,
    },
    source: request.source,
    duplicateOf: request.duplicateOf,
    reasonCode: request.reasonCode,
    completing: completing && completing.outcome,
    effect: request.effect,
    closedAt: request.closedAt,
    assignee: request.assignee ?? null,
    updatedAt: request.changedAt,
  };
}

/** `texts` in clear, or forgotten. */
export function dataRequestView(request: DataRequest, at: Instant): DataRequestView {
  const { texts, requesterType, history, terms } = request;
  const { rule, dueDays, unit, extensionDays, clockStops } = terms;
  return {
    ...listedView(request, at),
    locale: clear(texts.locale),
    details: clear(texts.details),
    corrections: correctionsIn(texts),
    requester: {
      type: requesterType,
      name: clear(texts.requesterName),
      email: clear(texts.requesterEmail),
      evidence: clear(texts.requesterEvidence),
    },
    period: { rule, dueDays, unit, extensionDays, clockStops },
    note: clear(texts.note),
    notes: (texts.notes ?? []).map(({ at: notedAt, by, text }) => ({ at: notedAt, by, text: clear(text) })),
    history,
  };
}

/** None of what was forgotten. */
const correctionsIn = ({ corrections, proposed = [] }: DataRequest['texts']): Correction[] =>
  (corrections ?? proposed).flatMap((each) =>
    isForgotten(each.value) || isForgotten(each.replaces) ? [] : [each as Correction],
  );

const clear = (text: unknown): string | null =>
  text === undefined || text === null || isForgotten(text) ? null : String(text);
