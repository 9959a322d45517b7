import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { ArchiveRows, forgetArchives, pruneArchives, type StoredArchive } from './archive-rows.js';

let world: LogDatabase;
let rows: ArchiveRows;
beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
  rows = new ArchiveRows(world.database);
});
afterAll(() => world?.stop());

async function made(requestId: string, id = `of-${requestId}`, subjectId = `sub_${requestId}`): Promise<StoredArchive> {
  for (const n of [0, 1]) await rows.putChunk(id, n, Buffer.from(`${id} ${n}`));
  return rows.finish({ requestId, id, subjectId, language: 'en', sha256: '00'.repeat(32), bytes: 10, chunks: 2 });
}
const chunksOf = async (id: string): Promise<number> =>
  (await Promise.all([0, 1].map((n) => rows.chunk(id, n)))).filter((chunk) => chunk !== null).length;
const age = (table: string, where: string, days: number): Promise<unknown> =>
  world.database.run(`update write.${table} set made_at = now() - make_interval(days => $1) where ${where}`, [days]);

describe('archives', () => {
  it('are one for each request: of two makers the first stands, and nothing of the other is left', async () => {
    await made('twice', 'first');
    expect((await made('twice', 'second')).id).toBe('first');
    expect([await chunksOf('first'), await chunksOf('second')]).toEqual([2, 0]);
  });

  it('go after 30 days, pieces that belong to none after one, and younger ones stay', async () => {
    await made('old');
    await made('young');
    await rows.putChunk('unfinished', 0, Buffer.from('x'));
    await rows.putChunk('being-made', 0, Buffer.from('x'));
    await age('archive', `id = 'of-old'`, 31);
    await age('archive_chunk', `archive = 'of-old'`, 31);
    await age('archive_chunk', `archive = 'unfinished'`, 2);
    await pruneArchives(world.database);
    expect([await rows.find('old'), await chunksOf('of-old'), await chunksOf('unfinished')]).toEqual([null, 0, 0]);
    expect([(await rows.find('young'))?.id, await chunksOf('of-young'), await chunksOf('being-made')]).toEqual([
      'of-young',
      2,
      1,
    ]);
  });

  it('of a subject that is erased go with their links, and no others', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    for (const request of ['erased', 'kept']) {
      await made(request);
      await rows.putLink(request === 'kept' ? 'aa' : 'bb', { site: 'demo', env: 'test' }, request, until);
    }
    await forgetArchives(world.database, ['sub_erased']);
    expect([await rows.find('erased'), await chunksOf('of-erased'), await rows.link('bb')]).toEqual([null, 0, null]);
    expect([await chunksOf('of-kept'), (await rows.link('aa'))?.requestId]).toEqual([2, 'kept']);
  });

  it('are fetched by a link once', async () => {
    await rows.putLink('cc', { site: 'demo', env: 'test' }, 'any', new Date().toISOString());
    const at = new Date().toISOString();
    const claims = await Promise.all([1, 2, 3].map(() => rows.claim('cc', at)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });
});
