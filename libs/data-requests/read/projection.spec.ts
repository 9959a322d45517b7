import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { createTable } from '../../following/projections/read-table.js';
import { dataRequestsProjection, dueOrNever } from './projection.js';

const GENERATION = { version: 900, rebuild: 0 };
const TABLE = 'read.data_requests_v900';
const REQUESTS = 20_000;

let world: LogDatabase;
beforeAll(async () => {
  world = await startLogDatabase();
  await world.database.run(createTable(dataRequestsProjection, GENERATION));
  // One in a hundred is open, one in ten of these has no date.
  await world.database.run(
    `insert into ${TABLE} (id, site, env, subject_id, type, state, assignee, is_open, received_at, due_at, request)
     select 'dsr_' || n, 'shop', 'live', 'sub_' || n, 'ACCESS', 'COMPLETED', case when n % 5 = 0 then 'opr_' || n % 3 end, n % 100 = 0,
            now(), case when n % 1000 > 0 then now() + n * interval '1 minute' end, '{}'
     from generate_series(1, ${REQUESTS}) n`,
  );
  await world.database.run(`analyze ${TABLE}`);
});
afterAll(() => world.stop());

const due = dueOrNever('due_at');
const IN_ORDER = `order by ${due}, id limit 51`;

it.each([
  ['all', '', IN_ORDER],
  ['the next page', `and (${due}, id) > (now() + interval '3 days', 'dsr_1')`, IN_ORDER],
  ['those that are open', 'and is_open', IN_ORDER],
  ['those of an operator', `and assignee = 'opr_1'`, IN_ORDER],
  ['none, because none is overdue', `and is_open and ${due} <= now() - interval '1 day'`, IN_ORDER],
  ['the newest', '', 'order by id desc limit 51'],
])('a page reads no more rows than it shows: %s', async (_, where, order) => {
  const [row] = await world.database.run<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) select * from ${TABLE} where site = 'shop' and env = 'live' ${where} ${order}`,
  );
  expect(rowsRead(row!['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(60);
});

interface Plan {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}
/** The most rows that any part of the plan has looked at. */
const rowsRead = (plan: Plan): number =>
  Math.max(plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0), ...(plan.Plans ?? []).map(rowsRead));
