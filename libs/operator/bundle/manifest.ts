import type { Environment, Instant, Position, Scope } from '../../kernel/index.js';
import { POLICY_AS_OF } from '../../policy/index.js';
import type { ExportedEvent } from '../export/exported-event.js';
import type { ListedMember } from './members.js';

/** `typ` of the signature over a manifest, so that it cannot pass as the signature of a receipt. */
export const MANIFEST_JWS_TYPE = 'audit-bundle+jws';
/** Raise it with every change that an older verifier would not understand. */
const FORMAT = 'urn:assent:audit-bundle:1';

/** A member that a later release brings. */
export interface AbsentMember {
  name: string;
  because: string;
}

/** The content of an archive, and the question that it answers. */
export interface Manifest {
  format: typeof FORMAT;
  site: string;
  environment: Environment;
  question: {
    /** A pseudonym, since a reference could name a person. Null: all subjects. */
    subject: string | null;
    since: Instant | null;
    /** Position that was asked for, as decimal text; null: up to the end of the log. */
    through: string | null;
    personalData: 'WITHHELD' | 'CLEAR';
    /** `access.jsonl` lists the hours that were over then, `deliveries.jsonl` the deliveries that had ended. */
    readsUntil: Instant;
  };
  records: number;
  receipts: number;
  /** The last event in it; null where there is none. */
  last: { position: string; recordedAt: Instant } | null;
  /** State of the law data that the rules come from, a date. */
  policyAsOf: string;
  members: readonly ListedMember[];
  absent: readonly AbsentMember[];
}

interface Facts {
  scope: Scope;
  subject: string | null;
  since: Instant | null;
  through: Position | null;
  readsUntil: Instant;
  withPersonalData: boolean;
  records: number;
  receipts: number;
  last: ExportedEvent | null;
  members: readonly ListedMember[];
  absent: readonly AbsentMember[];
}

export function manifestOf({
  scope,
  subject,
  since,
  through,
  readsUntil,
  withPersonalData,
  last,
  ...counted
}: Facts): Manifest {
  const { records, receipts, members, absent } = counted;
  return {
    format: FORMAT,
    site: scope.site,
    environment: scope.env,
    question: {
      subject,
      since,
      through: through === null ? null : String(through),
      personalData: withPersonalData ? 'CLEAR' : 'WITHHELD',
      readsUntil,
    },
    records,
    receipts,
    last: last && { position: last.position, recordedAt: last.recordedAt },
    policyAsOf: POLICY_AS_OF,
    members,
    absent,
  };
}
