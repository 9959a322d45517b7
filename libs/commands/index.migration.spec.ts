import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startWriteDatabase, type WriteDatabase } from '../../test/support/write-database.js';
import { COMPOSITION } from '../composition/contexts.js';
import { migrate } from '../engines/database/migrate.js';
import { MasterKey } from '../vault/master-key.js';
import { IndexIdempotencyKeys1763790000001 } from './index.migration.js';
import { IdempotencyReservations } from './reservations.js';

let world: WriteDatabase;
beforeAll(async () => {
  world = await startWriteDatabase(
    COMPOSITION.migrations.slice(0, COMPOSITION.migrations.indexOf(IndexIdempotencyKeys1763790000001)),
  );
}, 60_000);
afterAll(() => world?.stop());

it('keeps every key of the table before, with the subject that the log names', async () => {
  const { database, url } = world;
  const [done, cutOff, closed, erased] = Array.from({ length: 4 }, () => ({
    digest: randomBytes(32).toString('hex'),
    fingerprint: randomBytes(32).toString('hex'),
  }));
  for (const [key, leasedUntil] of [
    [done, 'now()'],
    [cutOff, "now() + interval '1 hour'"],
    [closed, "'infinity'"],
    [erased, 'now()'],
  ] as const)
    await database.run(
      `insert into write.idempotency (key, fingerprint, owner, leased_until, created_at)
       values (decode($1, 'hex'), decode($2, 'hex'), gen_random_uuid(), ${leasedUntil}, now() - interval '1 week')`,
      [key!.digest, key!.fingerprint],
    );
  const [live, gone] = ['sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T'];
  const event = (position: number, subject: string, type: string, metadata: object): Promise<unknown> =>
    database.run(
      `insert into log.events (position, stream, revision, id, type, data, metadata) values ($1, $2, $1, gen_random_uuid(), $3, '{}', $4)`,
      [position, `subject-demo.test.${subject}`, type, JSON.stringify(metadata)],
    );
  await event(0, live!, 'ConsentRecorded', { idempotencyKey: done!.digest });
  await event(1, gone!, 'ConsentRecorded', { idempotencyKey: erased!.digest });
  await event(2, gone!, 'SubjectErased', {});

  await migrate(url, COMPOSITION.migrations);

  const reservations = new IdempotencyReservations(database, new MasterKey(Buffer.alloc(32, 5)));
  expect(await reservations.reserve(done!, [])).toMatchObject({
    kind: 'ours',
    fresh: false,
    subjects: [live],
    erased: [],
  });
  expect(await reservations.reserve(cutOff!, [])).toMatchObject({ kind: 'seen', subjects: [], erased: [] });
  for (const key of [closed!, erased!]) expect((await reservations.reserve(key, [])).kind).not.toBe('other');
  expect(await reservations.seen(closed!)).toBe('gone');
  expect(await reservations.seen(erased!)).toBe('gone');
  expect(await reservations.seen({ ...done!, fingerprint: cutOff!.fingerprint })).toBe('other');
});
