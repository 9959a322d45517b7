// What is made of the requests that specs had to send again: a service that refuses some of them must not pass.

/** So many in a run may come while the machine has time: a disk may be slow. */
export const ON_IDLE_MAX = 5;
/** More of them are no matter of the machine, whatever else it does. */
export const SHARE_MAX = 0.05;
/** From here on a share says something. */
const COUNTED_FROM = 20;

/** The lines that a run ends with, and why it fails; by the path of each spec what it counted. */
export function judgeRepeats(bySpec) {
  const sent = Object.entries(bySpec).filter(([, { repeats }]) => repeats > 0);
  const sum = (specs, which) => specs.reduce((total, [, counted]) => total + counted[which], 0);
  const lines = sent.map(
    ([spec, { requests, repeats, onIdle }]) =>
      `  ${spec}: ${times(repeats)} beside ${requests} requests, ${onIdle} while the machine had time`,
  );
  // Where engines are stopped on purpose, the service has to refuse.
  const judged = Object.entries(bySpec).filter(([spec]) => !spec.startsWith('test/faults/'));
  const [requests, repeats, onIdle] = ['requests', 'repeats', 'onIdle'].map((which) => sum(judged, which));
  return {
    lines:
      sent.length === 0
        ? []
        : [
            'sent again after a 503:',
            ...lines,
            `  in all ${times(sum(sent, 'repeats'))}, ${sum(sent, 'onIdle')} while the machine had time`,
          ],
    fault:
      onIdle > ON_IDLE_MAX
        ? `the service answered 503 to ${onIdle} requests while the machine had time; more than ${ON_IDLE_MAX} are a fault of the service`
        : repeats > COUNTED_FROM && repeats > SHARE_MAX * requests
          ? `the service answered 503 to ${repeats} of ${requests} requests; more than one in ${1 / SHARE_MAX} are a fault of the service, however busy the machine is`
          : null,
  };
}

const times = (count) => `${count} ${count === 1 ? 'time' : 'times'}`;
