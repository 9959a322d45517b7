import { setTimeout as pause } from 'node:timers/promises';

/** Each waits for as long as the answer before it said. */
const TRIES_MAX = 60;

/**
 * Asks without a proxy between, as somebody at the machine. Whoever else does has the same address: where the allowance
 * of it is used up, it is asked again when the answer says.
 */
export async function fromThisMachine(url: string | URL, init?: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url, init);
    if (answer.status !== 429 || tries === TRIES_MAX) return answer;
    await answer.arrayBuffer();
    await pause(1000 * Number(answer.headers.get('retry-after')));
  }
}
