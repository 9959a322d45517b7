import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { GenerationTables } from '../../following/generations/generation-tables.js';
import { publishedName } from '../../following/projections/published-views.js';
import { Refused, refusal } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { Engines } from '../engines.js';
import type { DataRoleChangedData, Operator } from '../events.js';
import { publishedViews } from '../export/flat-export.js';
import { recordOperation } from '../operations.js';
import type { AnyProjection } from '../release.js';

/** Marks a role in the database as made by this command. It changes and drops no other role. */
const MARK = 'A data team of Assent: reads the published views and nothing else.';
/** Settings of its sessions. A session can raise the time limit. It can never write, since it has no right to. */
const SESSION = {
  default_transaction_read_only: 'on',
  statement_timeout: '1h',
  idle_in_transaction_session_timeout: '10min',
  search_path: 'read',
};
const CONNECTIONS_MAX = 10;
/** Without the right to end sessions they go on, but have lost their rights to read. */
const END_SESSIONS = `select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and pg_has_role(usename, 'usage')`;
const NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/;

export interface DataRole {
  name: string;
  /** Published views that it may read here, and those that it may not (any more). */
  views: string[];
  missing: string[];
}

export interface DataRoleMade extends DataRole {
  /** False where the role existed and got its rights again. */
  created: boolean;
  /** Address with the password, which is shown only here; null where the role keeps its password. */
  url: string | null;
}

/**
 * Makes a role that can log in and read the published views, and nothing else of this database. An existing role gets its
 * rights again, and a new password only on request.
 */
export async function createDataRole(
  engines: Engines,
  name: string,
  by: Operator,
  newPassword: boolean,
): Promise<DataRoleMade> {
  requireName(name);
  const { database, projections } = engines;
  const created = !(await ours(database, name));
  for (const projection of projections)
    if (projection.views) await new GenerationTables(database, projection).declareViews();
  await record(engines, {
    by,
    role: name,
    change: created ? 'CREATED' : newPassword ? 'PASSWORD_CHANGED' : 'RIGHTS_GIVEN',
  });
  const password = created || newPassword ? randomBytes(24).toString('base64url') : null;
  await privileged(() =>
    database.transaction(async (tx) => {
      if (created) await tx.run(roleMade(name));
      if (password !== null) await tx.run(`alter role ${name} password '${scramVerifier(password)}'`);
      await tx.run(await rights('grant', tx, name, publishedViews(projections).map(publishedName)));
    }),
  );
  const url = password === null ? null : urlFor(engines, name, password);
  return { ...(await roleNamed(database, name, projections)), created, url };
}

/** Every role that this command has made, in this database or in another one of the same server. */
export async function dataRoles({
  database,
  projections,
}: Pick<Engines, 'database' | 'projections'>): Promise<DataRole[]> {
  const names = await database.run<{ name: string }>(
    `select rolname as name from pg_roles where shobj_description(oid, 'pg_authid') = $1 order by 1`,
    [MARK],
  );
  const roles: DataRole[] = [];
  for (const { name } of names) roles.push(await roleNamed(database, name, projections));
  return roles;
}

/** Takes the role's rights and drops it. Sessions of the role are cut. */
export async function dropDataRole(engines: Engines, name: string, by: Operator): Promise<void> {
  requireName(name);
  const { database, projections } = engines;
  if (!(await ours(database, name)))
    throw new Refused(
      refusal('data_role_unknown', `There is no data role ${name}.`, 'List them with assent data-role list.'),
    );
  await record(engines, { by, role: name, change: 'DROPPED' });
  await privileged(() =>
    database.transaction(async (tx) => {
      const { views } = await roleNamed(tx, name, projections);
      await tx.run(await rights('revoke', tx, name, views));
      await tx.run(END_SESSIONS, [name]);
      await tx.run(`drop role ${name}`);
    }),
  );
}

const roleMade = (name: string): string =>
  [
    `create role ${name} login nosuperuser nocreatedb nocreaterole noreplication connection limit ${CONNECTIONS_MAX}`,
    `comment on role ${name} is '${MARK}'`,
    ...Object.entries(SESSION).map(([setting, value]) => `alter role ${name} set ${setting} = '${value}'`),
  ].join(';\n');

async function rights(what: 'grant' | 'revoke', tx: Queries, name: string, views: readonly string[]): Promise<string> {
  const [current] = await tx.run<{ database: string }>('select quote_ident(current_database()) as database');
  return [
    `connect on database ${current!.database}`,
    'usage on schema read',
    ...(views.length > 0 ? [`select on ${views.join(', ')}`] : []),
  ]
    .map((right) => `${what} ${right} ${what === 'grant' ? 'to' : 'from'} ${name}`)
    .join(';\n');
}

async function roleNamed(tx: Queries, name: string, projections: readonly AnyProjection[]): Promise<DataRole> {
  const all = publishedViews(projections).map(publishedName);
  const rows = await tx.run<{ view: string; may: boolean | null }>(
    `select view, has_table_privilege($1, to_regclass(view), 'select') as may from unnest($2::text[]) as view`,
    [name, all],
  );
  const views = rows.filter(({ may }) => may === true).map(({ view }) => view);
  return { name, views, missing: all.filter((view) => !views.includes(view)) };
}

/** Whether the role exists. Refuses a role that Assent did not make: it may have rights that a data team must not have. */
async function ours(tx: Queries, name: string): Promise<boolean> {
  const [role] = await tx.run<{ mark: string | null }>(
    `select shobj_description(oid, 'pg_authid') as mark from pg_roles where rolname = $1`,
    [name],
  );
  if (role && role.mark !== MARK)
    throw new Refused(
      refusal(
        'data_role_taken',
        `The role ${name} exists and was not made by this command.`,
        'Choose another name: that role may read or change what a data team must not see.',
      ),
    );
  return role !== undefined;
}

function requireName(name: string): void {
  if (!NAME.test(name))
    throw new Refused(
      refusal(
        'data_role_invalid',
        `"${name}" is no name for a data role.`,
        'Use small letters, digits and underscores, beginning with a letter; not pg_….',
      ),
    );
}

const record = (engines: Engines, data: DataRoleChangedData): Promise<void> =>
  recordOperation(engines, { type: 'DataRoleChanged', data });

async function privileged(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === '2BP01')
      throw new Refused(
        refusal(
          'data_role_in_use',
          `The database does not let it go: ${message}.`,
          'It has rights in another database of the server, or owns something: drop it there first.',
        ),
      );
    if (code !== '42501') throw error;
    throw new Refused(
      refusal(
        'data_role_not_permitted',
        `The database does not let the user of DATABASE_URL do that: ${message}.`,
        'Give that user CREATEROLE, or call this command with a DATABASE_URL of one that has it and owns the schema read.',
      ),
    );
  }
}

/** The address of the service's own database for another user, by TCP: the socket in the data folder is for us only. */
function urlFor({ config, databaseUrl }: Engines, name: string, password: string): string {
  const url = new URL(databaseUrl);
  if (config.databaseUrl === null) url.searchParams.delete('host');
  // An address without a host has no place for a user in front of it.
  for (const [member, value] of Object.entries({ user: name, password }))
    if (url.host === '' || url.searchParams.has(member)) url.searchParams.set(member, value);
  url.username = name;
  url.password = password;
  return url.href;
}

/** The verifier that Postgres stores (RFC 5802, RFC 7677), so that no statement and no log of it has the password. */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
}
