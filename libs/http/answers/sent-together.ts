import type { ServerResponse } from 'node:http';

/** Most answers that are sent together: the first waits only while these few are made. */
const TOGETHER_MAX = 16;

let made: ServerResponse[] = [];

/**
 * Sends an answer without a body, together with the others of this turn of the event loop. A receiver on this machine,
 * such as a proxy, then wakes once for all of them. Waking it for each took a fifth of the time of a 304.
 */
export function sendTogether(response: ServerResponse): void {
  made.push(response);
  if (made.length === TOGETHER_MAX) sendMade();
  else if (made.length === 1) setImmediate(sendMade);
}

function sendMade(): void {
  const responses = made;
  made = [];
  for (const response of responses) response.end();
}
