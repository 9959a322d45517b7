import { randomBytes } from 'node:crypto';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { ServedProjection } from '../../following/generations/generations.js';
import { anEvent } from '../../log/contract/log.contract.js';
import { NO_STREAM } from '../../log/port.js';
import { newId, subjectStream } from '../../kernel/index.js';
import { migrate } from '../../engines/database/migrate.js';
import { RELEASE } from '../../composition/release.js';
import { openEngines, type Engines } from '../engines.js';
import { verifyAll } from './verify.js';

const SUBJECTS = 25;
const at = '2026-11-21T12:00:00.000Z';
const granted = (purpose: string) =>
  anEvent('ConsentRecorded', {
    recordId: newId('rec', 0, randomBytes),
    purpose,
    purposeVersion: 1,
    decision: 'GRANTED',
    previousState: 'NOT_COLLECTED',
    state: 'GRANTED',
    appliedToState: true,
    supersededBy: null,
    source: 'API',
    givenAt: at,
    recordedAt: at,
    expiresAt: null,
    actor: { type: 'SUBJECT' },
    notice: { locale: 'en', contentHash: 'sha256:0' },
    provenance: { keyId: 'key_1' },
  });

let world: LogDatabase;
let engines: Engines;
let served: ServedProjection<unknown, never>[];

beforeAll(async () => {
  world = await startLogDatabase();
  await migrate(world.url, RELEASE.migrations);
  engines = await openEngines(RELEASE, { DATABASE_URL: world.url, ASSENT_MASTER_KEY: randomBytes(32).toString('hex') });
  served = RELEASE.projections.map(
    (projection) =>
      new ServedProjection({
        log: engines.log,
        codec: engines.codec,
        database: world.database,
        projection,
      }) as unknown as ServedProjection<unknown, never>,
  );
  await Promise.all(served.map((each) => each.start()));
  for (let n = 0; n < SUBJECTS; n++) {
    const subjectId = newId('sub', n, randomBytes);
    await world.database.run('insert into vault.subject_keys (subject_id, wrapped) values ($1, $2)', [
      subjectId,
      Buffer.alloc(1),
    ]);
    await engines.log.append(subjectStream({ site: 'demo', env: 'test' }, subjectId), NO_STREAM, [
      anEvent('SubjectCreated', { subjectId, createdAt: at }),
      granted('analytics'),
      granted('marketing'),
    ]);
  }
  const head = await engines.log.head();
  await Promise.all(served.map((each) => each.waitFor(head, 120_000)));
});
afterAll(async () => {
  await Promise.all((served ?? []).map((each) => each.stop()));
  await engines?.close();
  await world?.stop();
});

it.each([[1_000], [10], [1]])(
  'every subject is compared once, where at most %i fit into memory',
  async (subjectsAtOnce) => {
    const shares: number[] = [];
    const verified = await verifyAll(engines, (share) => shares.push(share), subjectsAtOnce);
    expect(verified).toMatchObject({
      subjects: SUBJECTS,
      events: 3 * SUBJECTS,
      // What stands, and each of the two decisions.
      rows: 3 * SUBJECTS,
      differences: 0,
      first: [],
    });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  },
);
