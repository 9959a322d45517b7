import { int4Array, int8Array, textArray, uuidArray } from '../../../engines/database/binary-array.js';
import type { Database } from '../../../engines/database/database.js';
import { GroupCommit } from '../../../engines/database/group-commit.js';
import { APPEND_MS_MAX, serialiseAppend, type SerialisedEvent } from '../../append-limits.js';
import { LogUnavailable, type AppendOutcome, type NewEvent } from '../../port.js';
import { unavailable } from './postgres-failures.js';
import { within } from '../within.js';

/** Most appends that may wait for their group. At several thousand a second they end well within the time of an append. */
const WAITING_MAX = 2000;
/** Most appends and bytes of a group, which is one statement and one commit: other processes wait for it. */
const GROUP_APPENDS_MAX = 256;
const GROUP_BYTES_MAX = 4_000_000;
/** Part of an append's time that is left for the answer: the statement gives up on the lock so much earlier. */
const ANSWER_MS = 200;
const LOCK_MS_MIN = 50;
/** An append with less time left is not sent, since its outcome would become unknown. */
const TOO_LATE_MS = 150;

const APPEND = {
  name: 'log-append',
  text: 'select outcome, revision, at_position from log.append($1::text[], $2::bigint[], $3::int[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8)',
};

interface WaitingAppend {
  stream: string;
  expected: number;
  events: SerialisedEvent[];
  bytes: number;
  /** Of performance.now(): then the append rejects, without an answer. */
  deadline: number;
  sent: boolean;
}

interface AppendedRow {
  outcome: 'appended' | 'already' | 'conflict' | 'deleted';
  revision: bigint;
  at_position: bigint;
}

/**
 * The appends of one process. Those that arrive while a group is being written form the next group: one round trip and one
 * commit for all of them. The function `log.append` decides each append of a group (see the migration).
 */
export class PostgresAppends {
  private readonly groups: GroupCommit<WaitingAppend, AppendOutcome>;
  private closed = false;

  constructor(private readonly database: Database) {
    this.groups = new GroupCommit((group) => this.write(group), {
      groupMax: GROUP_APPENDS_MAX,
      waitingMax: WAITING_MAX,
      size: { of: ({ bytes }) => bytes, max: GROUP_BYTES_MAX },
      keyOf: ({ stream }) => stream,
      refused: () =>
        this.closed
          ? new LogUnavailable('the event log is closed', false)
          : new LogUnavailable('too many appends are waiting', false),
    });
  }

  async append(
    stream: string,
    expected: number,
    events: readonly NewEvent[],
    until = Infinity,
  ): Promise<AppendOutcome> {
    const serialised = serialiseAppend(stream, expected, events);
    if (this.closed) throw new LogUnavailable('the event log is closed', false);
    const ms = Math.min(APPEND_MS_MAX, Math.max(0, Math.round(until - performance.now())));
    const append = { stream, expected, ...serialised, deadline: performance.now() + ms, sent: false };
    return new Promise((resolve, reject) => {
      // Node keeps timers of one length in one list: this costs next to nothing per append.
      const timer = setTimeout(
        () => reject(new LogUnavailable('the event log did not answer in time', append.sent)),
        ms,
      );
      void this.groups
        .submit(append)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }

  /** Refuses appends that wait, and resolves when the group that is being written has ended. */
  async close(): Promise<void> {
    this.closed = true;
    await this.groups.close();
  }

  private async write(all: readonly WaitingAppend[]): Promise<(AppendOutcome | Promise<AppendOutcome>)[]> {
    const tooLate = performance.now() + TOO_LATE_MS;
    const group = all.filter(({ deadline }) => deadline >= tooLate);
    const rows = (group.length > 0 ? await this.send(group) : []).values();
    return all.map(({ sent }) =>
      sent
        ? outcomeOf(rows.next().value!)
        : Promise.reject<AppendOutcome>(new LogUnavailable('the event log is too busy', false)),
    );
  }

  /** Rejects with LogUnavailable. */
  private async send(group: readonly WaitingAppend[]): Promise<AppendedRow[]> {
    const events = group.flatMap((append) => append.events);
    for (const append of group) append.sent = true;
    try {
      // After this the statement goes on until the database's own time-out.
      return await within(
        APPEND_MS_MAX,
        this.database.query<AppendedRow>(APPEND, [
          textArray(group.map(({ stream }) => stream)),
          int8Array(group.map(({ expected }) => expected)),
          int4Array(group.map((append) => append.events.length)),
          uuidArray(events.map(({ id }) => id)),
          textArray(events.map(({ type }) => type)),
          textArray(events.map(({ data }) => data)),
          textArray(events.map(({ metadata }) => metadata)),
          Math.max(LOCK_MS_MIN, Math.round(group[0]!.deadline - performance.now() - ANSWER_MS)),
        ]),
      );
    } catch (error) {
      throw unavailable(error);
    }
  }
}

function outcomeOf({ outcome, revision, at_position: position }: AppendedRow): AppendOutcome {
  switch (outcome) {
    case 'deleted':
      return { outcome };
    case 'conflict':
      return { outcome, revision: Number(revision) };
    default:
      return { outcome: 'appended', revision: Number(revision), position, already: outcome === 'already' };
  }
}
