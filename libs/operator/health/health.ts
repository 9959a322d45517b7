import type { EventLog } from '../../log/port.js';
import { systemClock, type Instant } from '../../kernel/index.js';
import type { Config } from '../../engines/config/config.js';
import type { Database } from '../../engines/database/database.js';
import { notedSkips, type NotedSkips } from '../../following/skipped-events.js';
import { checkChores } from '../doctor/doctor-chores.js';
import { checkClock, checkProjections, checkVersion } from '../doctor/doctor-engines.js';
import { checkLedger } from '../doctor/doctor-ledger.js';
import { checkVendorList } from '../doctor/doctor-lists.js';
import { checkStreams } from '../doctor/doctor-streams.js';
import type { Finding, Verdict } from '../doctor/findings.js';
import { projectionStatus, type ProjectionStatus } from '../projections.js';
import type { Release } from '../release.js';
import { lastUpkeep, type LastUpkeep } from './upkeep.js';

/** What a process of the service has open, and what it was started with. */
export interface RunningEngines {
  log: EventLog;
  database: Database;
  vendorLists: Pick<Config['vendorLists'], 'path' | 'url'>;
}

export interface Health {
  checkedAt: Instant;
  /** The worst of the findings. */
  status: Verdict;
  findings: Finding[];
  projections: ProjectionStatus[];
  /** What operators leave out for good, the newest first, at most a hundred. */
  skipped: NotedSkips['events'];
  last: LastUpkeep;
}

const SKIPS_SHOWN = 100;
/** Some of those who look at this may see no persons; `assent doctor` names subjects. */
const SUBJECT = /sub_[0-9A-HJKMNP-TV-Z]{26}/g;
const WORST_FIRST: readonly Verdict[] = ['fail', 'warn'];

/**
 * What `assent doctor` checks of the engines, from within a process that has them open. Takes some seconds where a read
 * model or a chore is behind: whether it moves is seen by looking twice. Rejects with LogUnavailable or
 * DependencyUnavailable where log or database are away.
 */
export async function examineRunning(
  { projections, sinks, chores }: Pick<Release, 'projections' | 'sinks' | 'chores'>,
  { log, database, vendorLists }: RunningEngines,
): Promise<Health> {
  const checkedAt = systemClock();
  let seen: ProjectionStatus[] = [];
  const look = async (): Promise<ProjectionStatus[]> =>
    (seen = await projectionStatus({ log, database, projections, sinks }));
  const [found, last, { events }] = await Promise.all([
    Promise.all([
      checkVersion(database),
      checkClock(database),
      checkStreams(log),
      checkProjections(look),
      checkLedger(database),
      checkVendorList(vendorLists, database),
      checkChores(chores, database),
    ]),
    lastUpkeep(database),
    notedSkips(database),
  ]);
  const findings = found.flat().map((finding) => ({ ...finding, found: finding.found.replace(SUBJECT, 'sub_…') }));
  const status = WORST_FIRST.find((worst) => findings.some(({ verdict }) => verdict === worst)) ?? 'ok';
  const skipped = events.toSorted((a, b) => Number(b.position - a.position)).slice(0, SKIPS_SHOWN);
  return { checkedAt, status, findings, projections: seen, skipped, last };
}
