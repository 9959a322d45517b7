import { rankTest } from './rank-test.js';
import type { Answer, World } from './world.js';

let asked = 0;

/** What a caller sees of an answer, times and handles aside. */
const shape = ({ status, headers, body }: Answer): unknown => [
  status,
  Object.keys(headers).sort(),
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (name === 'handle' || name === 'expiresAt' ? typeof value : value)),
  ),
];

/**
 * Makes requests on a page for people who are known and for people who are not, in turns, so that a machine under load slows
 * both alike. Answers how many kinds of answers there were, and how far the two differ in time, as `rankTest` says it.
 */
export async function knownAndUnknown(
  world: World,
  type: string,
  tries: number,
): Promise<{ shapes: number; deviation: number }> {
  const someone = (): string => `email:asker${++asked}-${Date.now()}@timing.example`;
  const known = Array.from({ length: tries }, someone);
  for (let i = 0; i < tries; i += 500) {
    const subjects = known.slice(i, i + 500);
    const records = subjects.map((subject) => ({ subject, purpose: 'analytics', decision: 'GRANTED' }));
    const { status } = await world.request('POST', '/v1/consent/batch', { key: 'sk', body: { records } });
    if (status !== 200) throw new Error(`not recorded: ${status}`);
  }
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const shapes = new Set<string>();
  for (const [i, subject] of known.entries()) {
    const pair = [
      ['known', subject],
      ['unknown', someone()],
    ] as const;
    // Whoever comes second finds everything warm: they take turns in that too.
    for (const [who, about] of i % 2 === 0 ? pair : [...pair].reverse()) {
      // A network address of its own: how much one caller may ask is not what is measured.
      const from = `10.${(asked >> 8) & 255}.${asked & 255}.${who === 'known' ? 1 : 2}`;
      const began = performance.now();
      const answer = await world.request('POST', '/v1/data-requests/portal', {
        key: 'pk',
        body: { subject: about, type },
        from,
      });
      times[who].push(performance.now() - began);
      shapes.add(JSON.stringify(shape(answer)));
    }
  }
  return { shapes: shapes.size, deviation: rankTest(times.known, times.unknown) };
}
