import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../engines/database/database.js';
import type { ProjectionStatus } from '../projections.js';
import { fail, ok, warn, type Finding } from './findings.js';

/** Oldest version of Postgres that the service is tried with. */
const TRIED_POSTGRES = 18;
/** How far two clocks may differ: timestamps more than five minutes ahead are refused, and expiries use both clocks. */
const SKEW_MS = { warn: 1_000, fail: 60_000 };
/** As the alerts have it. */
const LAG_S_WARN = 60;
/** How long a read model may take to show that a projector runs it. */
const MOVES_WITHIN_MS = 3_000;

export async function checkVersion(database: Database): Promise<Finding> {
  const [row] = await database.run<{ version: string }>(`select current_setting('server_version') as version`);
  const version = row!.version.split(' ')[0]!;
  return Number.parseInt(version, 10) >= TRIED_POSTGRES
    ? ok('database', `Postgres ${version}`)
    : warn('database', `Postgres ${version}`, `Assent is tried with Postgres ${TRIED_POSTGRES} and newer.`);
}

export async function checkClock(database: Database): Promise<Finding> {
  const before = Date.now();
  const [row] = await database.run<{ at: Date }>('select clock_timestamp() as at');
  const skew = Math.round(row!.at.getTime() - (before + Date.now()) / 2);
  const found = `database is ${Math.abs(skew)} ms ${skew < 0 ? 'behind' : 'ahead of'} this host`;
  const fix = 'Set both clocks by NTP: times of recording and ends of consents are judged by them.';
  if (Math.abs(skew) > SKEW_MS.fail) return fail('clocks', found, fix);
  return Math.abs(skew) > SKEW_MS.warn ? warn('clocks', found, fix) : ok('clocks', found);
}

/** Checks that every read model exists, moves and is close behind the log. `look` is called again where one is behind. */
export async function checkProjections(look: () => Promise<ProjectionStatus[]>): Promise<Finding[]> {
  const before = await look();
  const behind = before.filter(({ lagSeconds, live }) => live && lagSeconds > 0);
  if (behind.length > 0) await pause(MOVES_WITHIN_MS);
  const after = behind.length > 0 ? await look() : before;
  return after.map((now) => {
    const { name, state, position, lagSeconds, lagEvents, poison, live } = now;
    const lag = `${lagSeconds} s${lagEvents === null ? '' : ` and ${lagEvents} events`} behind`;
    const check = `projection ${name}${live || state === 'missing' ? '' : ' (being built)'}`;
    if (poison !== null)
      return fail(
        check,
        `stopped by ${poison.type ?? 'the event'} at ${poison.position}: ${poison.error ?? ''}`,
        `Look at the event; then run a release that knows it and assent projections resume ${name}, or leave it out for good: assent projections skip ${name} ${poison.position}.`,
      );
    if (state === 'missing') return fail(check, 'was never built', 'Start a projector.');
    if (!live || lagSeconds === 0) return ok(check, `at position ${position}, nothing left to do`);
    const moved =
      before.find((then) => then.name === name && then.version === now.version && then.rebuild === now.rebuild)
        ?.position !== position;
    if (!moved) return fail(check, `${lag}, and does not move`, 'Start a projector: no process runs this read model.');
    return lagSeconds > LAG_S_WARN
      ? warn(check, `${lag}, catching up`, 'Wait; readers see old rows meanwhile, unless they ask for fresh ones.')
      : ok(check, `${lag}, catching up`);
  });
}
