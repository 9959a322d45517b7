import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { instantOf } from '../../kernel/index.js';
import { EndedSessions, pruneSessions } from './ended-sessions.js';

let world: LogDatabase;
beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
});
afterAll(() => world?.stop());

it('a session that was ended is so on every instance and after a restart, until it would have ended by itself', async () => {
  const [here, there] = [new EndedSessions(world.database), new EndedSessions(world.database)];
  const later = (ms: number) => instantOf(Date.now() + ms);
  const session = { formSecret: 'a-secret', endsAt: later(60_000) };
  const over = { formSecret: 'an-older-secret', endsAt: later(-1_000) };
  expect(await there.has(session)).toBe(false);
  for (const each of [session, session, over]) await here.end(each);
  expect([await there.has(session), await there.has({ formSecret: 'another' })]).toEqual([true, false]);
  // What stands there opens no form.
  expect(JSON.stringify(await world.database.run('select * from write.ended_session'))).not.toContain('secret');
  await pruneSessions(world.database);
  expect([await there.has(session), await there.has(over)]).toEqual([true, false]);
});
