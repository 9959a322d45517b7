import { setTimeout as pause } from 'node:timers/promises';
import { BEGINNING, type Position, Refused, refusal, subjectOfStream, type Scope } from '../../kernel/index.js';
import { viewOf } from '../../following/projections/read-table.js';
import { notedSkips } from '../../following/skipped-events.js';
import type { Engines } from '../engines.js';
import { eventsOf, familyOfSubject } from '../../subject-archive/index.js';
import { noSuchSubject, subjectNamed } from '../export/subject-named.js';
import { projectionStatus } from '../projections.js';
import { Folded, type Difference } from './verify-fold.js';
import { RowsAgainstFold } from './verify-rows.js';

/** Most subjects folded in memory at once (some 300 MB). For more, the log is read again for each further part. */
const SUBJECTS_AT_ONCE = 50_000;
/** Number of smaller rows, such as decisions, that take as much memory as a subject. */
const ROWS_LIKE_A_SUBJECT = 4;
const LOOK_EVERY_MS = 200;
/** A read model that has not moved for this long is run by no process. */
const STANDS_STILL_MS = 10_000;

export interface Verified {
  subjects: number;
  events: number;
  rows: number;
  through: string;
  seconds: number;
  differences: number;
  first: Difference[];
  /** Events that operators left out; the rows have to equal the log without them. */
  skipped: string[];
}

/** Folds every stream of a read model and compares every row with the result. Reads only; the service may run meanwhile. */
export async function verifyAll(
  engines: Engines,
  look: (share: number, events: number) => void,
  subjectsAtOnce = SUBJECTS_AT_ONCE,
): Promise<Verified> {
  const since = performance.now();
  const head = await engines.log.head();
  await untilCaughtUp(engines, head);
  const parts = Math.max(1, Math.ceil((await subjectsAbout(engines)) / subjectsAtOnce));
  const total: Verified = {
    subjects: 0,
    events: 0,
    rows: 0,
    through: String(head),
    seconds: 0,
    differences: 0,
    first: [],
    skipped: [],
  };
  const leftOut = await notedSkips(engines.database);
  for (let part = 0; part < parts; part++) {
    const folded = new Folded(engines, leftOut);
    // Subjects are many, so they are folded part by part. Other streams are few: they go with the first part.
    const isPart = (subjectId: string | null): boolean =>
      subjectId === null ? part === 0 : partOf(subjectId, parts) === part;
    const rows = new RowsAgainstFold(engines, folded, isPart);
    await foldPart(engines, head, isPart, folded, rows, (share, events) =>
      look((part + share) / parts, total.events + events),
    );
    total.subjects += folded.subjects;
    total.events += folded.events;
    total.rows += rows.rows;
    total.differences += folded.differences;
    total.skipped.push(...folded.skipped);
    total.first.push(...folded.found.slice(0, 20 - total.first.length));
  }
  return { ...total, seconds: Math.round(performance.now() - since) / 1000 };
}

/** Follows the log until the rows are compared, so that later events do not count as differences. */
async function foldPart(
  { log, projections }: Engines,
  head: Position,
  isPart: (subjectId: string | null) => boolean,
  folded: Folded,
  rows: RowsAgainstFold,
  look: (share: number, events: number) => void,
): Promise<void> {
  if (head === BEGINNING) return;
  let announce!: (failure: unknown) => void;
  const arrived = new Promise<unknown>((resolve) => (announce = resolve));
  const subscription = log.subscribe({
    after: BEGINNING,
    prefixes: [...new Set(projections.flatMap(({ streams }) => streams))],
    onBatch: async (events, through) => {
      for (const event of events) if (isPart(subjectOfStream(event.stream)?.subjectId ?? null)) folded.take(event);
      look(Math.min(1, Number(through + 1n) / Number(head + 1n)), folded.events);
      if (through >= head) announce(null);
    },
    failed: announce,
  });
  try {
    const failure = await arrived;
    if (failure !== null) throw failure as Error;
    await rows.all();
    await rows.settle();
  } finally {
    await subscription.stop();
  }
}

/** The same for one subject, from its stream and those of the subjects that were merged with it. */
export async function verifySubject(engines: Engines, subject: string, scope: Scope): Promise<Verified> {
  const since = performance.now();
  const { log } = engines;
  const head = await log.head();
  await untilCaughtUp(engines, head);
  const family = await familyOfSubject(engines, scope, await subjectNamed(engines, { subject, scope }));
  const folded = new Folded(engines, await notedSkips(engines.database));
  const rows = new RowsAgainstFold(engines, folded, () => true);
  let through: Position = BEGINNING;
  for await (const page of eventsOf(engines, scope, family, head)) {
    for (const event of page) folded.take(event);
    through = page.at(-1)!.position;
  }
  if (folded.events === 0) throw noSuchSubject();
  const found = await rows.ofSubjects(family);
  await rows.settle();
  return {
    subjects: folded.subjects,
    events: folded.events,
    rows: found,
    through: String(through),
    seconds: Math.round(performance.now() - since) / 1000,
    differences: folded.differences,
    first: folded.found,
    skipped: folded.skipped,
  };
}

/** Waits until the projections have read the log up to its head at the start; the log may grow meanwhile. */
async function untilCaughtUp(engines: Engines, head: Position): Promise<void> {
  const seen = new Map<string, { position: string; at: number }>();
  for (;;) {
    const behind = (await projectionStatus({ ...engines, sinks: [] })).filter(
      ({ live, state, lagSeconds, position }) =>
        (live || state === 'missing') && lagSeconds > 0 && BigInt(position) < head,
    );
    for (const { name, state, position, lagSeconds } of behind) {
      const last = seen.get(name);
      if (last?.position !== position) seen.set(name, { position, at: performance.now() });
      if (state === 'running' && performance.now() - (seen.get(name)?.at ?? 0) < STANDS_STILL_MS) continue;
      throw new Refused(
        refusal(
          'projection_stopped',
          `${name} stands still at position ${position}, ${lagSeconds} s behind the log.`,
          'See assent projections status: start a projector, or let it go on (resume, skip), then verify again.',
        ),
      );
    }
    if (behind.length === 0) return;
    await pause(LOOK_EVERY_MS);
  }
}

/** An estimate: where rows are missing, more subjects than planned are folded at once, and none is left out. */
async function subjectsAbout({ database, projections }: Engines): Promise<number> {
  const counted = async (table: string): Promise<number> => {
    const [row] = await database.run<{ count: bigint }>(`select count(*) as count from ${table}`);
    return Number(row!.count);
  };
  const counts = [await counted('vault.subject_keys')];
  for (const { name, table } of projections)
    counts.push((await counted(viewOf(name))) / (table.keyColumn === 'subject_id' ? 1 : ROWS_LIKE_A_SUBJECT));
  return Math.max(...counts);
}

/** FNV-1a. */
function partOf(subjectId: string, parts: number): number {
  if (parts === 1) return 0;
  let hash = 0x811c9dc5;
  for (let i = 0; i < subjectId.length; i++) hash = Math.imul(hash ^ subjectId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % parts;
}
