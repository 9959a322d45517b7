// How often a spec asked again because the service said 503, see ../asking.ts. One copy for all specs of a process.
import { performance } from 'node:perf_hooks';

/** As long as a processor works to see whether it has to share: longer than its turn lasts among several. */
const SPIN_MS = 10;
/** A processor that has nothing else to do takes hardly longer for that. */
const IDLE_UP_TO = 1.5;

const none = () => ({ requests: 0, repeats: 0, onIdle: 0 });
let counted = none();

export function noteRequest() {
  counted.requests++;
}

/** Looks at once whether the machine was busy: a minute later it cannot be known. */
export function noteRepeat() {
  counted.repeats++;
  if (isIdle()) counted.onIdle++;
}

/** What was counted since the last call. */
export function takeRepeats() {
  const taken = counted;
  counted = none();
  return taken;
}

function isIdle() {
  const [began, used] = [performance.now(), process.cpuUsage()];
  const worked = () => {
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 1000;
  };
  while (worked() < SPIN_MS);
  return performance.now() - began < IDLE_UP_TO * SPIN_MS;
}
