import type { Database } from '../../libs/engines/database/database.js';
import { cipherWithoutSubject } from '../../libs/deliveries/mail/mail-delivery.js';
import { sealingOf, type MasterKey } from '../../libs/vault/master-key.js';

/*
 * What an installation keeps as bytes, column by column. What the key of a subject opens is gone with that key; what the
 * master key opens has to be found by other means when somebody is erased, and is opened here.
 */

interface Bytes {
  /** Reads the rows that are sealed, and opens one; where only other rows of the column are, `where` says which. */
  columns: string;
  where?: string;
  open: (row: Record<string, unknown>, master: MasterKey) => string;
}

const secret =
  (purpose: (row: Record<string, unknown>) => string) =>
  (row: Record<string, unknown>, master: MasterKey): string =>
    master.openSecret(purpose(row), row['bytes'] as Buffer).toString();

/** By what each column of bytes is sealed. Those that hold nothing of a person say why. */
const COLUMNS: Readonly<Record<string, 'SUBJECT' | Bytes | { holds: string }>> = {
  'vault.subject_keys.wrapped': 'SUBJECT',
  'vault.identifiers.sealed': 'SUBJECT',
  'vault.identifiers.digest': 'SUBJECT',
  'webhooks.attempt.answer': 'SUBJECT',
  'write.archive_chunk.sealed': 'SUBJECT',
  'deliveries.delivery.payload': {
    columns: 'channel, key',
    where: `subject_id is null and payload <> ''`,
    open: (row, master) => {
      if (row['channel'] === 'opt-out') return secret(({ key }) => `opt-out/${String(key)}`)(row, master);
      const sealed = JSON.parse(String(row['bytes'])) as unknown;
      return JSON.stringify(cipherWithoutSubject(sealingOf(master)).decrypt(`mail/${String(row['key'])}`, sealed));
    },
  },
  'mail.outbox.sealed': { columns: 'message_id', open: secret((row) => `outbox/${String(row['message_id'])}`) },
  'portal.code.sealed': { columns: 'id', where: `sealed <> ''`, open: secret(({ id }) => `portal-code/${String(id)}`) },
  'vault.sealed_secrets.sealed': { holds: 'keys of the service' },
  'vault.master_keys.carried': { holds: 'keys of the service' },
  'write.idempotency.key': { holds: 'keyed digests of keys' },
  'write.idempotency.fingerprint': { holds: 'keyed digests of requests' },
  'write.archive_link.token_hash': { holds: 'hashes of 256 random bits' },
  'write.confirmation_tokens.token_hash': { holds: 'hashes of 256 random bits' },
  'write.audit_bundle_piece.content': { holds: 'archives without personal fields, as audit-bundle.spec.ts tests' },
  'ledger.*': { holds: 'hashes of what the log holds' },
};

const known = (column: string): (typeof COLUMNS)[string] | undefined =>
  COLUMNS[column] ?? COLUMNS[`${column.split('.')[0]}.*`];

/** Columns of bytes that stand in no list above: whoever adds one says there what opens it. */
export async function unknownBytes(database: Database): Promise<string[]> {
  return (await bytesColumns(database)).filter((column) => known(column) === undefined);
}

/** All that the master key alone opens, by column. */
export async function openedByMaster(database: Database, master: MasterKey): Promise<Map<string, string>> {
  const opened = new Map<string, string>();
  for (const column of await bytesColumns(database)) {
    const of = known(column);
    if (of === undefined || of === 'SUBJECT' || 'holds' in of) continue;
    const [schema, table, name] = column.split('.');
    const rows = await database.run<Record<string, unknown>>(
      `select ${name} as bytes, ${of.columns} from ${schema}.${table} where ${name} is not null and ${of.where ?? 'true'}`,
    );
    opened.set(column, rows.map((row) => of.open(row, master)).join('\n'));
  }
  return opened;
}

/** Partitions stand for their table. */
async function bytesColumns(database: Database): Promise<string[]> {
  const rows = await database.run<{ name: string }>(
    `select format('%s.%s.%s', n.nspname, c.relname, a.attname) as name
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where a.atttypid = 'bytea'::regtype and a.attnum > 0 and c.relkind in ('r', 'p') and not c.relispartition
       and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  return rows.map(({ name }) => name);
}
