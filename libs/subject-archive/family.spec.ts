import { MemoryEventLog } from '../log/adapters/memory.js';
import { anEvent } from '../log/contract/log.contract.js';
import { NO_STREAM } from '../log/port.js';
import { subjectStream, type Position, type Scope } from '../kernel/index.js';
import { Codec, defineEvent } from '../streams/codec.js';
import { eventsOf, familyOfSubject } from './family.js';

const scope: Scope = { site: 'shop', env: 'test' };
const [ADA, BOB] = ['sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T'] as const;

let log: MemoryEventLog;
beforeEach(() => (log = new MemoryEventLog()));
afterEach(() => log.close());

/** So many events, of which each stands with one of them in turn. */
async function happen(length: number, ...subjects: string[]): Promise<void> {
  for (let i = 0; i < length; i++) {
    const stream = subjectStream(scope, subjects[i % subjects.length]!);
    const revision = Math.floor(i / subjects.length) - 1;
    await log.append(stream, revision === -1 ? NO_STREAM : revision, [anEvent('Said')]);
  }
}

async function positions(subjects: readonly string[], through: Position): Promise<bigint[]> {
  const found: bigint[] = [];
  for await (const page of eventsOf({ log }, scope, subjects, through))
    found.push(...page.map(({ position }) => position));
  return found;
}
const upTo = (length: number): bigint[] => Array.from({ length }, (_, i) => BigInt(i));

it.each([1, 499, 500, 501, 1000, 1001, 1731])('the events of one subject come all, each once: %i', async (length) => {
  await happen(length, ADA);
  expect(await positions([ADA], await log.head())).toEqual(upTo(length));
});

it.each([2, 998, 1000, 1002, 2500])('the events of two subjects come in the order of the log: %i', async (length) => {
  await happen(length, ADA, BOB);
  expect(await positions([ADA, BOB], await log.head())).toEqual(upTo(length));
  expect(await positions([ADA, BOB], BigInt(length - 2))).toEqual(upTo(length - 1));
});

it('a family is found although one of its streams holds an event that cannot be read', async () => {
  const merged = (role: string) =>
    anEvent('SubjectsMerged', {
      role,
      mergeId: 'mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
      survivorId: ADA,
      absorbedId: BOB,
      policy: 'MOST_RESTRICTIVE',
      carryOver: null,
      mergedAt: '2026-11-21T12:00:00.000Z',
      family: [BOB],
    });
  await log.append(subjectStream(scope, BOB), NO_STREAM, [anEvent('Unheard'), merged('ABSORBED')]);
  await log.append(subjectStream(scope, ADA), NO_STREAM, [anEvent('Unheard'), merged('SURVIVOR')]);
  const codec = new Codec([defineEvent({ type: 'SubjectsMerged', version: 1, personal: [] })]);
  expect(await familyOfSubject({ log, codec }, scope, BOB)).toEqual([ADA, BOB]);
});
