import type { Environment, Instant } from '../../kernel/index.js';

/** An event as an export and a bundle have it, one line each. Members always in this order. */
export interface ExportedEvent {
  position: string;
  stream: string;
  revision: number;
  id: string;
  type: string;
  schemaVersion: number;
  recordedAt: Instant;
  actor: string;
  requestId: string | null;
  /** As far as the event names them. */
  site: string | null;
  env: Environment | null;
  subjectId: string | null;
  data: unknown;
  /** Only where an operator left the event out of every answer, because it cannot be read or must not count. */
  leftOut?: true;
}
