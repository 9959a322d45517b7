import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { StateRows } from './state-rows.js';

let postgres: LogDatabase;

beforeAll(async () => {
  postgres = await startLogDatabase();
  await postgres.database.run(`
    create table read.counts (subject_id text primary key, revision bigint not null, state jsonb);
    insert into read.counts values ('a', 3, '{"count": 1}'), ('b', 7, '{"count": 2}');
    insert into projection.generations (name, version, live) values ('counts', 2, true)`);
});
afterAll(() => postgres?.stop());

const rowsOf = (version: number) => new StateRows(postgres.database, { name: 'counts', version }, () => ({ count: 0 }));

it('gives everybody who asks at the same time the row of the subject that they asked for', async () => {
  const rows = rowsOf(2);
  expect(await Promise.all(['b', 'nobody', 'a', 'b'].map((subjectId) => rows.find(subjectId)))).toEqual([
    { subjectId: 'b', revision: 7, state: { count: 2 } },
    { subjectId: 'nobody', revision: -1, state: { count: 0 } },
    { subjectId: 'a', revision: 3, state: { count: 1 } },
    { subjectId: 'b', revision: 7, state: { count: 2 } },
  ]);
});

it('gives nobody a row of another version', async () => {
  const rows = rowsOf(3);
  expect(await Promise.all([rows.find('a'), rows.find('nobody')])).toEqual([null, null]);
});
