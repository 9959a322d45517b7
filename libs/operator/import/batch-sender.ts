import { setTimeout as rest } from 'node:timers/promises';
import { CommandFailed, failed } from '../cli/failure.js';
import type { Server } from '../cli/server.js';
import type { ImportRecord, RecordKind } from './mapping/import-record.js';

/** What became of one record. */
export interface ItemOutcome {
  status: 'RECORDED' | 'REPLAYED' | 'REJECTED' | 'NOT_APPLIED';
  /** False where something newer stood already. */
  appliedToState?: boolean;
  error?: { code: string; message: string; hint: string; issues: readonly { path: string; message: string }[] };
}

/** As the service answers it. */
interface AnsweredItem extends Omit<ItemOutcome, 'appliedToState'> {
  record?: { appliedToState?: boolean; changes?: readonly { appliedToState: boolean }[] };
}

/** Sends records, at most 500 of one kind, and answers what became of each. */
export type SendRecords = (kind: RecordKind, records: readonly ImportRecord[]) => Promise<ItemOutcome[]>;

export interface SenderOptions {
  server: Pick<Server, 'post'>;
  /** Where batches of a kind go. */
  pathOf: (kind: RecordKind) => string;
  dryRun: boolean;
  /** Hears why a batch is sent again, and after how many seconds. */
  onWait: (why: string, seconds: number) => void;
  /** Rests this long; replaced by tests. */
  pause?: (ms: number) => Promise<unknown>;
}

/** How often a batch is sent again before the import gives up: some ten minutes. */
const TRIES_MAX = 25;
const WAIT_MS_MIN = 500;
const WAIT_MS_MAX = 30_000;

/** Of an item: another request holds its key or its stream, or an engine is away. It may pass by itself. */
const PASSING = [
  'idempotency_in_progress',
  'state_conflict',
  'dependency_unavailable',
  'rate_limited',
  'log_incomplete',
];

/**
 * Sends batches so that what passes by itself costs time only: a lost connection, a service that is busy or away (408,
 * 409, 429, 5xx). A batch is sent again with the keys that it had, so nothing is recorded twice. Throws a CommandFailed
 * where the service refuses the whole batch, or where nothing has passed after `TRIES_MAX` tries.
 */
export function batchSender({ server, pathOf, dryRun, onWait, pause = rest }: SenderOptions): SendRecords {
  const post = (kind: RecordKind, records: readonly ImportRecord[]): Promise<{ results: AnsweredItem[] }> =>
    server.post(pathOf(kind), { records: records.map(({ body }) => body), ...(dryRun && { dryRun }) });

  return async (kind, records) => {
    const outcomes: ItemOutcome[] = [];
    let open = records.map((_, i) => i);
    for (let tries = 1; open.length > 0; tries++) {
      let why: CommandFailed;
      try {
        const { results } = await post(
          kind,
          open.map((i) => records[i]!),
        );
        const passing: number[] = [];
        for (const [place, i] of open.entries()) {
          outcomes[i] = outcomeOf(results[place]!);
          if (PASSING.includes(outcomes[i].error?.code ?? '')) passing.push(i);
        }
        if (passing.length === 0) break;
        const { error } = outcomes[passing[0]!]!;
        why = failed(error!.code, error!.message, error!.hint);
        // Progress was made: what is left has its tries before it.
        if (passing.length < open.length) tries = 0;
        open = passing;
      } catch (error) {
        if (!(error instanceof CommandFailed) || !mayPass(error)) throw error;
        why = error;
      }
      if (tries >= TRIES_MAX) throw gaveUp(why);
      const asked = why.answer?.retryAfterSeconds ?? null;
      const ms = Math.min(asked === null ? WAIT_MS_MIN * 2 ** Math.min(tries - 1, 10) : asked * 1000, WAIT_MS_MAX);
      onWait(why.problem.message, ms / 1000);
      await pause(ms);
    }
    return outcomes;
  };
}

function outcomeOf({ status, record, error }: AnsweredItem): ItemOutcome {
  const applied = record?.appliedToState ?? record?.changes?.every(({ appliedToState }) => appliedToState);
  return { status, ...(applied !== undefined && { appliedToState: applied }), ...(error && { error }) };
}

const mayPass = ({ problem, answer }: CommandFailed): boolean =>
  answer === undefined
    ? problem.code === 'unreachable'
    : [408, 409, 425, 429].includes(answer.status) || answer.status >= 500;

const gaveUp = ({ problem }: CommandFailed): CommandFailed =>
  failed(
    'import_stopped',
    `The import stopped: ${problem.message} It was tried ${TRIES_MAX} times.`,
    'Call it again when the service answers: with --resume it goes on where it stopped. Without, it begins anew, and what is recorded already is not recorded twice.',
  );
