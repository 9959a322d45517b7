import { hostname, tmpdir } from 'node:os';
import type { StartWorker } from '../../../context/worker.js';
import { Rest } from '../../../following/rest.js';
import { Refused } from '../../../kernel/index.js';
import type { BundleEngines } from '../bundle-files.js';
import type { Release } from '../../release.js';
import { BundleJobs, BundleTaken, type BundleJob } from './bundle-jobs.js';

/** Injection token of what a bundle is made with besides the engines. */
export const BUNDLE_RELEASE = Symbol('BundleRelease');
export type BundleRelease = Pick<Release, 'streams' | 'timeline' | 'signerOf' | 'ledgerOf'>;

/** How often it looks for bundles to try again or to take over. A question for a new one wakes it. */
const LOOKS_EVERY_MS = 10_000;
/** Far within the lease. */
const SAYS_SO_EVERY_MS = 10_000;
const PIECE_BYTES = 1_048_576;

/** Makes bundles, one at a time. */
export const startBundles: StartWorker = ({ background: database, log, codec, vault, master, logger, get }) => {
  const { streams, timeline, signerOf, ledgerOf } = get<BundleRelease>(BUNDLE_RELEASE);
  const jobs = new BundleJobs(database);
  const engines: BundleEngines = { log, codec, vault, master, database, streams, timeline };
  const using = { signer: signerOf({ vault, log }), proven: ledgerOf({ log, database, vault }) };
  const stopping = new AbortController();
  const { signal } = stopping;

  async function make(job: BundleJob): Promise<void> {
    const { site, env, subjectId, since, through, readsUntil, askedBy } = job;
    let progress = 0;
    let taken: unknown = null;
    const saying = setInterval(
      () => void jobs.goOn(job, progress).catch((error: unknown) => (taken = error)),
      SAYS_SO_EVERY_MS,
    );
    const goesOn = (): void => {
      if (taken instanceof BundleTaken) throw taken;
      signal.throwIfAborted();
    };
    const pieces = new Pieces((n, content) => jobs.put(job, n, content));
    try {
      const { makeBundle } = await import('../make-bundle.js');
      const made = await makeBundle(
        engines,
        using,
        {
          of: subjectId === null ? { since: since! } : { subject: `subject:${subjectId}` },
          ...{ scope: { site, env }, through, readsUntil, withPersonalData: false },
          by: { user: askedBy, host: hostname() },
        },
        tmpdir(),
        async (chunk) => {
          goesOn();
          await pieces.write(chunk);
        },
        (share) => {
          goesOn();
          progress = share;
        },
      );
      await pieces.end();
      await jobs.finish(job, made);
    } finally {
      clearInterval(saying);
    }
  }

  async function settle(job: BundleJob, error: unknown): Promise<void> {
    if (error instanceof BundleTaken) return;
    if (signal.aborted) return jobs.leave(job);
    if (error instanceof Refused) return jobs.fail(job, error.refusal);
    logger.warn({ error: (error as Error).name, bundle: job.id }, 'an audit bundle failed');
    if (jobs.hasTriesLeft(job)) return jobs.again(job);
    return jobs.fail(job, {
      code: 'internal_error',
      message: 'It failed each time.',
      hint: 'The log of the dispatcher names the errors. Ask again.',
    });
  }

  let isAsked = false;
  const pause = new Rest();
  async function run(): Promise<void> {
    while (!signal.aborted) {
      isAsked = false;
      const job = await jobs.claim().catch(() => null);
      // Where the database is away its lease runs out.
      if (job !== null) await make(job).catch((error: unknown) => settle(job, error).catch(() => undefined));
      else if (!isAsked) await pause.take(LOOKS_EVERY_MS);
    }
  }

  const stopListening = jobs.onAsked(() => {
    isAsked = true;
    pause.wake();
  });
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      stopListening();
      pause.end();
      await running;
    },
  };
};

/** Gathers what is written into pieces of one size. */
class Pieces {
  private waiting: Uint8Array[] = [];
  private bytes = 0;
  private n = 0;

  constructor(private readonly put: (n: number, content: Buffer) => Promise<void>) {}

  async write(chunk: Uint8Array): Promise<void> {
    this.waiting.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes >= PIECE_BYTES) await this.end();
  }

  async end(): Promise<void> {
    if (this.bytes === 0) return;
    const content = Buffer.concat(this.waiting);
    [this.waiting, this.bytes] = [[], 0];
    await this.put(this.n++, content);
  }
}
