import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { caughtUp, startAssent } from '../assent.mjs';
import { decision } from '../cases.mjs';
import { Client } from '../client.mjs';
import { startDatabase } from '../database.mjs';

const SUBJECTS = 3_000;
const BATCH = 500;
const DECISIONS_EACH = 3;
const AT_ONCE = 16;

/** Sizes of tables with their indexes; a table in parts is one. */
const SIZES = `
  select coalesce(parent.relnamespace::regnamespace || '.' || parent.relname, c.relnamespace::regnamespace || '.' || c.relname) as name,
    sum(pg_total_relation_size(c.oid))::float8 as bytes
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
  where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('log', 'vault', 'ledger', 'webhooks', 'write', 'read', 'projection')
  group by 1`;

/**
 * What the database grows by, through the write path as it is: for a new subject with its first decision, for each
 * further decision, and for the Idempotency-Key of one.
 */
export async function measureGrowth({ folder }, options, progress, measured) {
  const database = await startDatabase(join(folder, 'database'));
  let assent = null;
  try {
    assent = await startAssent(join(folder, 'assent'), { databaseUrl: database.url });
    const client = new Client(assent.url, assent.keys.sk);
    const subjects = Array.from({ length: SUBJECTS }, () => `visitor_id:${randomBytes(16).toString('hex')}`);
    const sizes = async () => {
      await caughtUp(assent);
      // What updates left behind is free space by then, as autovacuum makes it.
      await database.query('vacuum (analyze)');
      const [{ events }] = await database.query('select count(*)::int as events from log.events');
      return { events, tables: new Map((await database.query(SIZES)).map(({ name, bytes }) => [name, bytes])) };
    };
    const batches = async (n) => {
      for (let at = 0; at < SUBJECTS; at += BATCH) {
        const records = subjects.slice(at, at + BATCH).map((subject) => decision(subject, n));
        await expectDone(client.ask('POST', '/v1/consent/batch', { records }));
      }
    };
    const grown = [];
    const step = async (name, work) => {
      progress.say(name);
      const before = await sizes();
      await work();
      const after = await sizes();
      const bytes = (table) => ((after.tables.get(table) ?? 0) - (before.tables.get(table) ?? 0)) / SUBJECTS;
      grown.push({ name, bytes, tables: [...after.tables.keys()], events: (after.events - before.events) / SUBJECTS });
    };
    const withKeys = async (times) => {
      let next = 0;
      const worker = async () => {
        while (next < SUBJECTS * times) {
          const record = decision(subjects[next++ % SUBJECTS], 4);
          await expectDone(client.ask('POST', '/v1/consent', record, { 'Idempotency-Key': randomUUID() }));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    };
    // What tables, their parts and indexes take before they are of any size is there from now on.
    await batches(0);
    await withKeys(1);
    subjects.forEach((_, i) => (subjects[i] = `visitor_id:${randomBytes(16).toString('hex')}`));
    await step('new subject, first decision', () => batches(0));
    await step(`${DECISIONS_EACH} further decisions`, async () => {
      for (let n = 1; n <= DECISIONS_EACH; n++) await batches(n);
    });
    await step(`${DECISIONS_EACH} decisions with an Idempotency-Key`, () => withKeys(DECISIONS_EACH));
    client.close();
    const [first, further, keyed] = grown;
    const perDecision = (table) => further.bytes(table) / DECISIONS_EACH;
    const tables = keyed.tables.filter((table) => grown.some(({ bytes }) => Math.abs(bytes(table)) >= 1)).sort();
    // Rows of read models and the ledger know of no keys; what differs there is how far they had grown before.
    const ofKey = (table) =>
      /^(read|ledger)\./.test(table) ? 0 : (keyed.bytes(table) - further.bytes(table)) / DECISIONS_EACH;
    const row = (table) => [
      table,
      ...[first.bytes(table), perDecision(table), ofKey(table)].map((bytes) => `${Math.round(bytes)} B`),
    ];
    const total = (bytes) => tables.reduce((sum, table) => sum + bytes(table), 0);
    measured(
      [
        ['growth-subject', 'bytes of a new subject with its first decision', total(first.bytes)],
        ['growth-decision', 'bytes of each further decision', total(perDecision)],
        ['growth-key', 'bytes of an Idempotency-Key', total(ofKey)],
      ].map(([name, title, value]) => ({ name, title, value, unit: 'B' })),
      [
        {
          title: `growth by table and its indexes (${first.events} events of a new subject, ${further.events / DECISIONS_EACH} of a decision)`,
          head: ['table', 'new subject', 'decision', 'key'],
          rows: tables.map(row),
        },
      ],
    );
  } finally {
    await assent?.stop();
    await database.stop();
  }
}

async function expectDone(answer) {
  const { status, body } = await answer;
  if (status > 201) throw new Error(`it was answered with ${status}: ${JSON.stringify(body)}`);
}
