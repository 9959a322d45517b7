import { randomBytes } from 'node:crypto';
import type { Database } from '../../../engines/database/database.js';
import {
  instantOf,
  newId,
  refusal,
  type Environment,
  type Instant,
  type Position,
  type Refusal,
  type Scope,
} from '../../../kernel/index.js';
import type { Bundled } from '../make-bundle.js';

export const BUNDLE_STATES = ['QUEUED', 'RUNNING', 'READY', 'FAILED'] as const;
export type BundleState = (typeof BUNDLE_STATES)[number];

/** Bundles that may wait or be in the making at once, of all sites together: each reads the log, and takes its size on the disk. */
export const BUNDLES_WAITING_MAX = 5;
/** How long a bundle is kept after it was made. */
export const BUNDLE_DAYS = 7;
const ATTEMPTS_MAX = 3;
/** A dispatcher that says nothing of a bundle for so long has died. */
const LEASE_S = 60;
/** Before a bundle that failed is tried again. */
const AGAIN_S = 10;
const LISTED_MAX = 100;
/** NOTIFY says that a bundle was asked for. */
const ASKED = 'audit_bundles';

/** What a bundle is to be about: all that was recorded from a time on, or one subject with all that were merged with it. */
export type BundleQuestion = Scope & {
  subjectId: string | null;
  since: Instant | null;
  through: Position | null;
  readsUntil: Instant | null;
};

/** Why a bundle failed. */
export type BundleProblem = Pick<Refusal, 'code' | 'message' | 'hint'>;

export interface BundleJob extends BundleQuestion {
  /** `abn_` and a ULID. */
  id: string;
  /** Of the operator. */
  askedBy: string;
  askedAt: Instant;
  state: BundleState;
  /** 0 to 1. */
  progress: number;
  attempt: number;
  problem: BundleProblem | null;
  made: Bundled | null;
  finishedAt: Instant | null;
}

interface Row {
  id: string;
  site: string;
  env: Environment;
  subject_id: string | null;
  since: Date | null;
  through: bigint | null;
  reads_until: Date | null;
  asked_by: string;
  asked_at: Date;
  state: BundleState;
  progress: number;
  attempt: number;
  problem: BundleProblem | null;
  made: Bundled | null;
  finished_at: Date | null;
}

const LOCK = `select pg_advisory_xact_lock(4711, hashtext('audit bundles'))`;
const SAME = `select * from write.audit_bundle where finished_at is null and site = $1 and env = $2 and asked_by = $3
  and (subject_id, since, through, reads_until) is not distinct from ($4::text, $5::timestamptz, $6::bigint, $7::timestamptz) limit 1`;
const ASK = `insert into write.audit_bundle (site, env, asked_by, subject_id, since, through, reads_until, id)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`;
const WAITING = 'select count(*)::int as waiting from write.audit_bundle where finished_at is null';
const CLAIM = {
  name: 'audit_bundle_claim',
  text: `update write.audit_bundle set state = 'RUNNING', attempt = attempt + 1, progress = 0, leased_until = now() + interval '${LEASE_S} s'
    where id = (select id from write.audit_bundle where finished_at is null and (leased_until is null or leased_until < now())
                order by asked_at limit 1 for update skip locked) returning *`,
};
const GO_ON = {
  name: 'audit_bundle_go_on',
  text: `update write.audit_bundle set progress = $3, leased_until = now() + interval '${LEASE_S} s'
    where id = $1 and attempt = $2 and state = 'RUNNING' returning 1`,
};
const PUT = {
  name: 'audit_bundle_put',
  text: `insert into write.audit_bundle_piece (bundle, attempt, n, content) select id, $2, $3, $4 from write.audit_bundle
    where id = $1 and attempt = $2 and state = 'RUNNING' returning 1`,
};
const FINISH = {
  name: 'audit_bundle_finish',
  text: `update write.audit_bundle set state = case when $4::jsonb is null then 'READY' else 'FAILED' end, progress = 1, made = $3, problem = $4, leased_until = null, finished_at = now()
    where id = $1 and attempt = $2 and state = 'RUNNING'`,
};
const PUT_OFF = {
  name: 'audit_bundle_put_off',
  text: `update write.audit_bundle set state = 'QUEUED', progress = 0, attempt = attempt - $3::int, leased_until = now() + make_interval(secs => $4)
    where id = $1 and attempt = $2 and state = 'RUNNING'`,
};
const DROP_PIECES = {
  name: 'audit_bundle_drop_pieces',
  text: `delete from write.audit_bundle_piece where bundle = $1 and attempt <= $2`,
};
const PRUNE = `with gone as (delete from write.audit_bundle where finished_at < now() - interval '${BUNDLE_DAYS} days' returning id)
  delete from write.audit_bundle_piece where bundle in (select id from gone)`;

/** Another process goes on with the bundle, or the operator's database has lost it. */
export class BundleTaken extends Error {
  override name = 'BundleTaken';
}

/** Bundles that operators asked for, from the question to the last piece of the answer. */
export class BundleJobs {
  constructor(private readonly database: Database) {}

  /**
   * Puts a bundle into the queue. The same question of the same operator, asked again while the first waits, is that one.
   * Refuses with `state_conflict` where too many wait.
   */
  async ask(question: BundleQuestion, askedBy: string): Promise<BundleJob | Refusal> {
    const { site, env, subjectId, since, through, readsUntil } = question;
    const values = [site, env, askedBy, subjectId, since, through, readsUntil];
    return this.database.transaction(async (tx) => {
      await tx.run(LOCK);
      const [same] = await tx.run<Row>(SAME, values);
      if (same) return jobOf(same);
      const [counted] = await tx.run<{ waiting: number }>(WAITING);
      if (counted!.waiting >= BUNDLES_WAITING_MAX)
        return refusal(
          'state_conflict',
          `${BUNDLES_WAITING_MAX} bundles are waiting already.`,
          'Ask again when one of them is finished; the command line makes bundles at any time: assent audit bundle.',
        );
      const [row] = await tx.run<Row>(ASK, [...values, newId('abn', Date.now(), randomBytes)]);
      await tx.run('select pg_notify($1, $2)', [ASKED, '']);
      return jobOf(row!);
    });
  }

  /** Calls back whenever a bundle was asked for, or may have been, until the returned function is called. */
  onAsked(call: () => void): () => void {
    return this.database.listen(ASKED, () => call());
  }

  /** Null: there is none of that id in this site and environment. */
  async find({ site, env }: Scope, id: string): Promise<BundleJob | null> {
    const text = 'select * from write.audit_bundle where id = $1 and site = $2 and env = $3';
    const [row] = await this.database.run<Row>(text, [id, site, env]);
    return row ? jobOf(row) : null;
  }

  /** The newest first, at most a hundred. */
  async list({ site, env }: Scope): Promise<BundleJob[]> {
    const text = `select * from write.audit_bundle where site = $1 and env = $2 order by asked_at desc limit ${LISTED_MAX}`;
    return (await this.database.run<Row>(text, [site, env])).map(jobOf);
  }

  /** The bytes of a bundle that is READY, piece by piece. */
  async *content({ id, attempt }: BundleJob): AsyncGenerator<Buffer> {
    const text = 'select content from write.audit_bundle_piece where bundle = $1 and attempt = $2 and n = $3';
    for (let n = 0; ; n++) {
      const [piece] = await this.database.run<{ content: Buffer }>(text, [id, attempt, n]);
      if (!piece) return;
      yield piece.content;
    }
  }

  /** The bundle that waits longest, for this process alone as long as it goes on; null: none waits. */
  async claim(): Promise<BundleJob | null> {
    for (;;) {
      const [row] = await this.database.query<Row>(CLAIM, []);
      if (!row) return null;
      const job = jobOf(row);
      await this.database.query(DROP_PIECES, [job.id, job.attempt - 1]);
      if (job.attempt <= ATTEMPTS_MAX) return job;
      await this.fail(job, { code: 'internal_error', message: 'It was interrupted each time.', hint: 'Ask again.' });
    }
  }

  /** Rejects with BundleTaken where another process has it by now. */
  async goOn({ id, attempt }: BundleJob, progress: number): Promise<void> {
    if ((await this.database.query(GO_ON, [id, attempt, progress])).length === 0) throw new BundleTaken();
  }

  /** Keeps the next piece; rejects like `goOn`. */
  async put({ id, attempt }: BundleJob, n: number, content: Buffer): Promise<void> {
    if ((await this.database.query(PUT, [id, attempt, n, content])).length === 0) throw new BundleTaken();
  }

  async finish({ id, attempt }: BundleJob, made: Bundled): Promise<void> {
    await this.database.query(FINISH, [id, attempt, JSON.stringify(made), null]);
  }

  async fail({ id, attempt }: BundleJob, { code, message, hint }: BundleProblem): Promise<void> {
    await this.database.query(FINISH, [id, attempt, null, JSON.stringify({ code, message, hint })]);
  }

  /** Back into the queue, after a failure that may pass. */
  async again({ id, attempt }: BundleJob): Promise<void> {
    await this.database.query(PUT_OFF, [id, attempt, 0, AGAIN_S]);
  }

  /** Back into the queue as if it had not been begun: this process stops. */
  async leave({ id, attempt }: BundleJob): Promise<void> {
    await this.database.query(DROP_PIECES, [id, attempt]);
    await this.database.query(PUT_OFF, [id, attempt, 1, 0]);
  }

  hasTriesLeft({ attempt }: BundleJob): boolean {
    return attempt < ATTEMPTS_MAX;
  }
}

/** Deletes bundles whose time is over. */
export async function pruneBundles(database: Pick<Database, 'run'>): Promise<void> {
  await database.run(PRUNE);
}

const instant = (at: Date | null): Instant | null => at && instantOf(at.getTime());

const jobOf = (row: Row): BundleJob => ({
  id: row.id,
  site: row.site,
  env: row.env,
  subjectId: row.subject_id,
  since: instant(row.since),
  through: row.through,
  readsUntil: instant(row.reads_until),
  askedBy: row.asked_by,
  askedAt: instant(row.asked_at)!,
  state: row.state,
  progress: row.progress,
  attempt: row.attempt,
  problem: row.problem,
  made: row.made,
  finishedAt: instant(row.finished_at),
});
