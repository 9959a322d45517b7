import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { caughtUp, startAssent } from '../assent.mjs';
import { cpuUs, residentMb, startChild } from '../processes.mjs';
import { number } from '../report.mjs';
import { startWorld } from './eventstoredb.mjs';

/** What a process does after its start is over by then: V8 compiles, and shrinks its heap once after a minute and a half. */
const SETTLES_S = { full: 150, quick: 120 };
const WATCHED_S = { full: 120, quick: 60 };
const SHARE_MAX = 0.5;
const MEMORY_MB_MAX = 140;

export const IDLE = [
  { name: 'idle', title: 'one process without a request, of a core', floor: { most: SHARE_MAX } },
  { name: 'idle-memory', title: 'the same, resident memory', floor: { most: MEMORY_MB_MAX } },
  { name: 'idle-roles', title: 'the dearest of four roles without a request, of a core', floor: { most: SHARE_MAX } },
  { name: 'idle-roles-memory', title: 'the largest of them, resident memory', floor: { most: MEMORY_MB_MAX } },
];
const [ONE, ONE_MEMORY, ROLES, ROLES_MEMORY] = IDLE;

/** What processes cost that answer no request: one with all roles on its own Postgres, and one of each role on EventStoreDB. */
export async function measureIdle({ folder }, options, progress, measured) {
  const size = options.quick ? 'quick' : 'full';
  const running = [];
  const rows = [];
  /** Per cent of a core and MB of each, all watched at once; `of`: the pids of each by name. */
  const watch = async (installation, of) => {
    progress.say(`${installation}: settling for ${SETTLES_S[size]} s`);
    await pause(SETTLES_S[size] * 1_000);
    progress.say(`${installation}: watching for ${WATCHED_S[size]} s`);
    const before = Object.values(of).map((pids) => cpuUs(pids()));
    const from = performance.now();
    await pause(WATCHED_S[size] * 1_000);
    const passedUs = (performance.now() - from) * 1_000;
    return Object.entries(of).map(([name, pids], i) => {
      const share = ((cpuUs(pids()) - before[i]) / passedUs) * 100;
      // The memory of a server with many processes is for the most part the same, seen by each of them.
      const mb = pids().length === 1 ? residentMb(pids()[0]) : null;
      rows.push([installation, name, `${number(share)} %`, number(mb)]);
      return { name, share, mb };
    });
  };
  const dearest = (all, member) => Math.max(...all.map((each) => each[member]));
  try {
    if (options.wants(ONE.name) || options.wants(ONE_MEMORY.name)) {
      const assent = await startAssent(join(folder, 'one'));
      running.unshift(assent);
      await caughtUp(assent);
      const [one] = await watch('one process', { standalone: () => [assent.pid], Postgres: assent.postgres });
      measured([
        { ...ONE, value: one.share, unit: '%' },
        { ...ONE_MEMORY, value: one.mb, unit: 'MB' },
      ]);
      await running.shift().stop();
    }
    if (options.wants(ROLES.name) || options.wants(ROLES_MEMORY.name)) {
      const server = new URL('../servers/eventstoredb.mjs', import.meta.url).pathname;
      const standIn = process.env.ESDB_URL ? null : await startChild(server);
      if (standIn) running.unshift(standIn);
      const { roles, postgres } = await startWorld(
        join(folder, 'roles'),
        {
          ESDB_URL: standIn?.ready.url ?? process.env.ESDB_URL,
          ASSENT_LOG_PREFIX: `bench_${randomBytes(6).toString('hex')}`,
        },
        running,
      );
      await caughtUp(roles.projector);
      const all = await watch('four roles', {
        ...Object.fromEntries(Object.entries(roles).map(([role, { pid }]) => [role, () => [pid]])),
        Postgres: postgres,
        ...(standIn && { 'stand-in for EventStoreDB': () => [standIn.pid] }),
      });
      const ours = all.filter(({ name }) => name in roles);
      measured([
        { ...ROLES, value: dearest(ours, 'share'), unit: '%' },
        { ...ROLES_MEMORY, value: dearest(ours, 'mb'), unit: 'MB' },
      ]);
    }
    measured([], [{ title: 'Without a request', head: ['installation', 'process', 'of a core', 'resident MB'], rows }]);
  } finally {
    for (const each of running) await each.stop();
  }
}
