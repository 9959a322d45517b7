import type { Queries } from '../../engines/database/database.js';
import { deliveryIdOf, readDeliveryKey } from './delivery-id.js';
import type { Answers } from './answers.js';
import { WEBHOOK_CHANNEL } from './channel.js';

/** WAITING: for its first or another attempt, or it is on its way. FAILED: given up, or dropped because its endpoint was deleted. */
export const DELIVERY_STATES = ['WAITING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface ListedAttempt {
  /** From 1; goes on where the delivery is opened again. */
  number: number;
  at: Date;
  durationMs: number;
  /** Null: no answer came. */
  status: number | null;
  /** Why it failed: a fault of the connection, or the status; null: it did not. */
  reason: string | null;
  /** What the answer began with; null where it was empty, or the subject was erased. */
  answer: Buffer | null;
  /** Null: no other attempt followed by itself. */
  nextAt: Date | null;
}

/** A delivery, and how it went. */
export interface ListedDelivery {
  /** Of its row: where a list goes on. */
  row: bigint;
  /** See `delivery-id.ts`. */
  id: string;
  eventId: string;
  replayId: string | null;
  type: string;
  sequence: number;
  subjectId: string | null;
  state: DeliveryState;
  /** When it is tried next; null: it is over, or on its way. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
  attempts: ListedAttempt[];
}

interface Row {
  id: bigint;
  key: string;
  sequence: bigint;
  type: string;
  subject_id: string | null;
  state: DeliveryState;
  next_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

interface AttemptRow {
  delivery: bigint;
  number: number;
  at: Date;
  duration_ms: number;
  status: number | null;
  reason: string | null;
  answer: Buffer | null;
  next_at: Date | null;
}

const LIST = {
  name: 'webhooks_list_deliveries',
  text: `select d.id, d.key, d.sequence, v.type, d.subject_id, d.created_at, d.finished_at,
           case when d.finished_at is null then 'WAITING' when d.outcome->>'outcome' = 'delivered' then 'DELIVERED' else 'FAILED' end as state,
           case when d.finished_at is null and d.lease is null then d.due_at end as next_at
         from deliveries.delivery d join webhooks.announced v on v.site = d.site and v.env = d.env and v.position = d.sequence / 16 and v.sequence = d.sequence
         where (d.channel || ' ' || d.endpoint) = '${WEBHOOK_CHANNEL} ' || $1 and -d.id > coalesce(-$2::bigint, -9223372036854775807)
         order by -d.id limit $3`,
};
const ATTEMPTS = {
  name: 'webhooks_list_attempts',
  text: `select delivery, number, at, duration_ms, status, reason, answer, next_at from webhooks.attempt where delivery = any($1) order by delivery, number`,
};

/** Deliveries to one endpoint, the newest first: those before that row, at most so many. Kept until 30 days after their end. */
export async function listDeliveries(
  queries: Queries,
  answers: Answers,
  endpoint: string,
  { before, limit }: { before: bigint | null; limit: number },
): Promise<ListedDelivery[]> {
  const rows = await queries.query<Row>(LIST, [endpoint, before, limit]);
  const made = await queries.query<AttemptRow>(ATTEMPTS, [rows.map(({ id }) => id)]);
  const subjects = new Map(rows.map(({ id, subject_id: subjectId }) => [id, subjectId]));
  const attempts = new Map<bigint, ListedAttempt[]>(rows.map(({ id }) => [id, []]));
  for (const { delivery: id, duration_ms: durationMs, next_at: nextAt, answer, ...attempt } of made) {
    const opened = answer && (await answers.open({ id, subjectId: subjects.get(id)! }, answer));
    attempts.get(id)!.push({ ...attempt, durationMs, nextAt, answer: opened });
  }
  return rows.map((row) => {
    const name = readDeliveryKey(row.key);
    return {
      row: row.id,
      id: deliveryIdOf({ endpoint, ...name }),
      ...name,
      type: row.type,
      sequence: Number(row.sequence),
      subjectId: row.subject_id,
      state: row.state,
      nextAttemptAt: row.next_at,
      createdAt: row.created_at,
      finishedAt: row.finished_at,
      attempts: attempts.get(row.id)!,
    };
  });
}
