import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { cpuUs, residentMb } from './processes.mjs';

/** Keep-alive connections of a window, unless its case names another number. */
export const CONNECTIONS = 64;
const LONGEST_S = 3600;
/** Longest that a warm-up waits for its requests. */
const WARM_UP_MS_MAX = 30_000;

/**
 * One window of load over keep-alive connections, counted after a warm-up of so many seconds and requests at least. `requestsOf` gives each connection
 * its requests, which it repeats in turn: as fast as they are answered, or so many a second of all connections together.
 * Rejects where an answer has another status than expected.
 * @param {{ url: string, requestsOf: (connection: number) => object[], connections?: number, perSecond?: number, statuses: number[], pids: { server: number, postgres: () => (number | string)[] }, warmUpS: number, warmUpRequests?: number, seconds: number, during?: () => void, begun?: () => void, ended?: (count: number) => void }} load
 */
export async function httpWindow({
  url,
  requestsOf,
  connections = CONNECTIONS,
  perSecond,
  statuses,
  pids,
  warmUpS,
  warmUpRequests = 0,
  seconds,
  during,
  begun,
  ended: counted,
}) {
  let connection = 0;
  const strange = new Map();
  let latencies = [];
  const cannon = autocannon({
    url,
    connections,
    duration: LONGEST_S,
    timeout: 10,
    ...(perSecond && { overallRate: perSecond }),
    setupClient: (client) => client.setRequests(requestsOf(connection++)),
  });
  const ended = new Promise((resolve) => cannon.once('done', resolve));
  let failures = 0;
  cannon.on('reqError', () => failures++);
  cannon.on('response', (_, status, __, ms) => {
    latencies.push(ms);
    if (!statuses.includes(status)) strange.set(status, (strange.get(status) ?? 0) + 1);
  });
  await pause(warmUpS * 1000);
  const warmBy = performance.now() + WARM_UP_MS_MAX;
  while (latencies.length < warmUpRequests && performance.now() < warmBy) await pause(100);
  latencies = [];
  const before = usage(pids);
  begun?.();
  const from = performance.now();
  if (during) {
    for (let second = 1; second <= seconds; second++) {
      await pause(from + second * 1000 - performance.now());
      during();
    }
  } else await pause(seconds * 1000);
  const measured = latencies;
  latencies = [];
  const elapsed = (performance.now() - from) / 1000;
  const after = usage(pids);
  counted?.(measured.length);
  cannon.stop();
  await ended;
  if (strange.size > 0 || failures > 0)
    throw new Error(`unexpected answers: ${JSON.stringify([...strange])}, ${failures} failed requests`);
  return outcome(measured.length, elapsed, measured, before, after);
}

/** The same numbers for a case that runs inside a process of ours. */
export async function childWindow(process, name, { seconds, postgres }) {
  const pids = { server: process.pid, postgres };
  const asked = (message) => {
    const answer = new Promise((resolve, reject) => {
      const ended = () => reject(new Error(`the process ended during ${name}`));
      process.child.once('exit', ended);
      process.child.once('message', (answered) => {
        process.child.off('exit', ended);
        resolve(answered);
      });
    });
    process.child.send(message);
    return answer;
  };
  await asked({ prepare: name });
  const before = usage(pids);
  const { count, seconds: elapsed, latencies } = await asked({ name, seconds });
  return outcome(count, elapsed, latencies, before, usage(pids));
}

/** The same numbers for work that ends by itself and answers how much of it was done. */
export async function workWindow(work, pids) {
  const before = usage(pids);
  const from = performance.now();
  const count = await work();
  return outcome(count, (performance.now() - from) / 1000, [], before, usage(pids));
}

const usage = ({ server, postgres }) => ({
  server: cpuUs([server]),
  postgres: cpuUs(postgres()),
  rssMb: residentMb(server),
});

function outcome(count, seconds, latencies, before, after) {
  const sorted = Float64Array.from(latencies).sort();
  const at = (part) =>
    sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  const each = (us) => (Number.isFinite(us) ? us / count : null);
  return {
    count,
    perSecond: count / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuUs: each(after.server - before.server),
    postgresCpuUs: each(after.postgres - before.postgres),
    rssMb: after.rssMb,
  };
}
