import { join } from 'node:path';
import { startAssent } from '../assent.mjs';
import { mixed, prepareRequests } from '../cases.mjs';
import { residentMb } from '../processes.mjs';
import { httpWindow } from '../window.mjs';

const RESIDENT_MB_MAX = 250;
/** The mean of the last quarter against that of the second one, when caches have warmed up. */
const GROWTH_MAX = 1.05;
const WARM_UP_S = 2;

/** Resident memory of one process under the work of a day: how much at most, and whether it grows. */
export async function measureMemory({ folder, results }, options, progress, measured) {
  progress.say('starting Assent');
  const assent = await startAssent(join(folder, 'assent'), {
    nodeOptions: options.profile ? ['--heap-prof', `--heap-prof-dir=${results}/profile-memory`] : [],
  });
  try {
    const requests = await prepareRequests(assent);
    progress.expect(options.soak);
    const rssMb = [];
    const window = await httpWindow({
      url: assent.url,
      requestsOf: mixed(requests),
      statuses: [200, 201, 304],
      pids: { server: assent.pid, postgres: assent.postgres },
      warmUpS: WARM_UP_S,
      seconds: options.soak,
      during: () => {
        rssMb.push(residentMb(assent.pid));
        progress.step('mixed load', `${Math.round(rssMb.at(-1))} MB`);
      },
    });
    const mean = (from, to) => {
      const part = rssMb.slice(Math.floor(rssMb.length * from), Math.ceil(rssMb.length * to));
      return part.reduce((sum, mb) => sum + mb, 0) / part.length;
    };
    const shared = { perSecond: window.perSecond, p50Ms: window.p50Ms, p99Ms: window.p99Ms, cpuUs: window.cpuUs };
    measured([
      {
        name: 'memory',
        title: `resident memory, ${options.soak} s of mixed load`,
        value: Math.max(...rssMb),
        unit: 'MB',
        floor: { most: RESIDENT_MB_MAX },
        ...shared,
        detail: { eachSecondMb: rssMb.map(Math.round) },
      },
      {
        name: 'memory-growth',
        title: 'memory, last quarter to second',
        value: mean(0.75, 1) / mean(0.25, 0.5),
        unit: '×',
        floor: { most: GROWTH_MAX },
      },
    ]);
  } finally {
    await assent.stop();
  }
}
