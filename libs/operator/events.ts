import { defineEvent } from '../streams/codec.js';
import type { DomainEvent } from '../kernel/index.js';

/** The operator: by the account on the machine, or by a name that they gave. The name is not verified. */
export interface Operator {
  user: string;
  host: string;
}

export interface ProjectionRebuiltData {
  by: Operator;
  projection: string;
  version: number;
  rebuild: number;
  /** Position that the new rows stood at, as decimal text. */
  position: string;
  /** UNVERIFIED: the operator did not ask to compare. DIFFERENT: the old rows were kept. */
  parity: 'EQUAL' | 'DIFFERENT' | 'UNVERIFIED';
  rows: number | null;
  checksum: string | null;
}

/** An operator let a stopped projection try again. `position`: of the event that stopped it; `error`: its message. */
export interface ProjectionResumedData {
  by: Operator;
  projection: string;
  position: string;
  error: string | null;
}

/** The event that stopped a projection was left out. Records of earlier releases do not say in which stream it stands. */
export type ProjectionSkippedData = ProjectionResumedData & {
  eventType: string | null;
  stream?: string | null;
  revision?: number | null;
  /** True: left out of everything, because the event cannot be read or must not count. Else of this projection only. */
  everywhere: boolean;
};

/** An operator took a copy that shows personal data in clear. */
export interface AuditExportedData {
  by: Operator;
  /** Null: a whole site, or everything. */
  subjectId: string | null;
  site: string | null;
  env: string | null;
  since: string | null;
  /** The log up to here, as decimal text. */
  through: string;
}

/** An operator looked at all that the service knows of one subject. */
export interface SubjectShownData {
  by: Operator;
  subjectId: string;
  site: string;
  env: string;
  /** CLEAR: with identifiers, and with texts that the person may have written. */
  identifiers: 'MASKED' | 'CLEAR';
}

/** A database login that reads the published views was created, changed or dropped. */
export interface DataRoleChangedData {
  by: Operator;
  role: string;
  /** RIGHTS_GIVEN: an existing role got back rights to read that it had lost. */
  change: 'CREATED' | 'PASSWORD_CHANGED' | 'RIGHTS_GIVEN' | 'DROPPED';
}

/** Where a log ends, or ended. */
interface LogEndData {
  /** As decimal text. */
  position: string;
  recordedAt: string;
}

/** An operator accepted another log than the known one, mostly an older copy: it is the truth from now on. */
export interface LogAcceptedData {
  by: Operator;
  /** In words. */
  difference: string;
  /** The last event of the accepted log before this one; null: it held none. */
  last: LogEndData | null;
  /** The last known event of the log before. The events after `last` up to this one are lost. */
  known: LogEndData | null;
}

export type OperationsEvent =
  | DomainEvent<'ProjectionRebuilt', ProjectionRebuiltData>
  | DomainEvent<'ProjectionResumed', ProjectionResumedData>
  | DomainEvent<'ProjectionSkipped', ProjectionSkippedData>
  | DomainEvent<'AuditExported', AuditExportedData>
  | DomainEvent<'SubjectShown', SubjectShownData>
  | DomainEvent<'DataRoleChanged', DataRoleChangedData>
  | DomainEvent<'LogAccepted', LogAcceptedData>;

/** Events of what operators do to the engines. What they do to sites stands in the streams of the sites. */
export const OPERATIONS_STREAM = 'operations';

export const OPERATIONS_EVENTS = (
  [
    'ProjectionRebuilt',
    'ProjectionResumed',
    'ProjectionSkipped',
    'AuditExported',
    'SubjectShown',
    'DataRoleChanged',
    'LogAccepted',
  ] as const
).map((type) => defineEvent({ type, version: 1, personal: [] }));
