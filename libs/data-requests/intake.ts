import type { Instant, Position, Reference, Refusal, Scope } from '../kernel/index.js';
import type { Download } from '../http/answers/download.js';
import type { RequestKey } from '../commands/reservations.js';
import type {
  Correction,
  DataRequestType,
  Requester,
  RequestPlace,
  RequestSource,
  RequestVerification,
  Unproven,
} from './events.js';
import type { DataRequestView } from './view.js';

/** Injection token of the DataRequests. */
export const DATA_REQUESTS = Symbol('DataRequests');

/** A request as it comes in. */
export interface WantedRequest {
  /** An unknown reference makes its subject, whose key then seals the request. An id must be known. */
  subject: Reference;
  type: DataRequestType;
  source: RequestSource;
  jurisdiction?: RequestPlace;
  /** Short name of an act, such as `GDPR`. Default: that of the place. */
  regulation?: string;
  details?: string;
  /** Of a RECTIFICATION: what is to be put right, as `readCorrections` reads it. */
  corrections?: readonly Correction[];
  requester?: Requester;
  /** BCP 47. */
  locale?: string;
  /** Default: now. */
  receivedAt?: Instant;
  /** How it is known already that the requester is the subject, or may act for the subject. */
  verifiedBy?: RequestVerification;
  /** What was proved is not enough: the request waits for an operator, and says why. Not with `verifiedBy`. */
  unproven?: Unproven;
  /** Until when the requester was asked for a proof; afterwards the request expires. */
  awaitsProofUntil?: Instant;
  /** An opt-out has its effect and is completed at once. Only where it needs no verification, or `verifiedBy` is given. */
  atOnce?: true;
}

/** Who does it, for the metadata of the event. */
export interface RequestedBy {
  /** `key_…`, `operator:opt_…`, `subject:<how>` or `system:<what>`. */
  actor: string;
  requestId?: string;
  /** `ses_…` of an operator who is signed in in a browser. */
  session?: string;
  /** Absent or null: every call is its own. */
  key?: RequestKey | null;
}

/** `OPENED`: now, or under the same key before. `DUPLICATE`: one of this type is open already, and is what is answered. */
export interface OpenedRequest {
  status: 'OPENED' | 'DUPLICATE';
  request: DataRequestView;
  /** Null where nothing was written. */
  position: Position | null;
  replayed: boolean;
}

/** A request as a command left it. */
export interface ChangedRequest {
  request: DataRequestView;
  position: Position | null;
}

/**
 * What other contexts do with data requests. Answers show a request in clear, so the caller must be allowed to see it.
 * Everything rejects where the log or the database cannot be reached.
 */
export interface DataRequests {
  open(scope: Scope, wanted: WantedRequest, by: RequestedBy): Promise<OpenedRequest | Refusal>;
  /** The requester is known as the subject now. Nothing where that was known before. */
  verify(
    scope: Scope,
    requestId: string,
    method: RequestVerification,
    by: RequestedBy,
  ): Promise<ChangedRequest | Refusal>;
  /** The requester takes it back. */
  cancel(scope: Scope, requestId: string, by: RequestedBy): Promise<ChangedRequest | Refusal>;
  /** Null where there is no such request. Sees every acknowledged write. */
  get(scope: Scope, requestId: string): Promise<DataRequestView | null>;
  /** Requests of a subject and of all that were merged into it, newest first. Sees every acknowledged write. */
  listRequestsOf(scope: Scope, subjectId: string): Promise<DataRequestView[]>;
  /**
   * The archive that answered a request, for its subject who is signed in: once, and once more for each link that was made
   * and not used. `data_request_not_found` for a request of anybody else; and, where `under` names an identifier, for one
   * that was not made by who reads its mail.
   */
  fetchArchive(scope: Scope, requestId: string, subjectId: string, under: string | null): Promise<Download | Refusal>;
}
