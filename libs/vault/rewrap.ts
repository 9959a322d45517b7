import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../engines/database/database.js';
import type { MasterKey } from './master-key.js';

/** Rows in one statement. It takes some milliseconds, so that requests which write do not wait for it. */
const BATCH = 500;
/** Time between two checks that must find no row. A process that still seals with the old key shows within it. */
const QUIET_MS = 2_000;

/** A table with rows that the master key seals. */
interface Sealed {
  table: string;
  key: string;
  value: string;
  anew: (master: MasterKey, key: string, sealed: Buffer) => Buffer;
}

const SEALED: readonly Sealed[] = [
  {
    table: 'vault.subject_keys',
    key: 'subject_id',
    value: 'wrapped',
    anew: (master, id, wrapped) => master.wrapSubjectKey(id, master.unwrapSubjectKey(id, wrapped)),
  },
  {
    table: 'vault.sealed_secrets',
    key: 'name',
    value: 'sealed',
    anew: (master, name, sealed) => master.sealSecret(name, master.openSecret(name, sealed)),
  },
];

/**
 * Seals with this master key every row of the vault that the other key sealed. May be stopped anywhere and begun again,
 * also while other processes write: it changes a row only where the row is still as it was read, and erased rows stay
 * erased. At the end the database refuses rows that another key sealed. Answers how many rows were sealed anew.
 */
export async function rewrap(
  database: Database,
  master: MasterKey,
  look: (share: number, done: number) => void,
): Promise<number> {
  const total = (await Promise.all(SEALED.map((sealed) => left(database, sealed, master)))).reduce((a, b) => a + b, 0);
  let done = 0;
  const pass = async (): Promise<number> => {
    const before = done;
    for (const sealed of SEALED)
      done += await sealAnew(database, sealed, master, (rows) =>
        look(Math.min(1, (done + rows) / (total || 1)), done + rows),
      );
    return done - before;
  };
  do {
    while ((await pass()) > 0);
    await pause(QUIET_MS);
  } while ((await pass()) > 0);
  for (const { table } of SEALED) await allowOnly(database, table, master);
  await pass();
  // Fails where a row of the other key is left, before the caller is answered that all is done.
  for (const { table } of SEALED) await database.run(`alter table ${table} validate constraint sealed_with_master`);
  await database.run('update vault.master_keys set finished_at = coalesce(finished_at, now()) where id = $1', [
    master.id,
  ]);
  return done;
}

/** From here on the database refuses rows of a process that has only the old key: later no key could open them. */
async function allowOnly(database: Database, table: string, { id }: MasterKey): Promise<void> {
  if (!/^[0-9a-f]{16}$/.test(id)) throw new Error('the id of a master key has 16 hex digits');
  await database.run(
    `alter table ${table} drop constraint if exists sealed_with_master,
       add constraint sealed_with_master check (master is not distinct from '${id}') not valid`,
  );
}

/** Lets the database take rows of a next key. Comes before a process seals with it. */
export async function allowNext(database: Database): Promise<void> {
  for (const { table } of SEALED)
    await database.run(`alter table ${table} drop constraint if exists sealed_with_master`);
}

async function left(database: Database, { table }: Sealed, { id }: MasterKey): Promise<number> {
  const [row] = await database.run<{ rows: number }>(
    `select count(*)::int as rows from ${table} where master is distinct from $1`,
    [id],
  );
  return row!.rows;
}

async function sealAnew(
  database: Database,
  { table, key, value, anew }: Sealed,
  master: MasterKey,
  look: (rows: number) => void,
): Promise<number> {
  let rows = 0;
  for (let after = ''; ;) {
    const found = await database.run<{ key: string; sealed: Buffer }>(
      `select ${key} as key, ${value} as sealed from ${table}
       where ${key} > $1 and master is distinct from $2 order by ${key} limit ${BATCH}`,
      [after, master.id],
    );
    if (found.length === 0) return rows;
    const changed = await database.run<{ key: string }>(
      `update ${table} as t set ${value} = w.anew, master = $4
       from unnest($1::text[], $2::bytea[], $3::bytea[]) as w(key, before, anew)
       where t.${key} = w.key and t.${value} = w.before returning t.${key} as key`,
      [
        found.map((row) => row.key),
        found.map(({ sealed }) => sealed),
        found.map((row) => anew(master, row.key, row.sealed)),
        master.id,
      ],
    );
    rows += changed.length;
    look(rows);
    after = found.at(-1)!.key;
  }
}
