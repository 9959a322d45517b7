import { readConfig, type Config } from '../../engines/config/config.js';
import { Database } from '../../engines/database/database.js';
import { proveLogPrefix } from '../../engines/database/log-prefix.js';
import { pendingMigrations } from '../../engines/database/migrate.js';
import { reasonOf } from '../../log/log-reach.js';
import { proveMasterKey } from '../../vault/master-key-proof.js';
import { openMasterKey } from '../../vault/open-master-key.js';
import { Vault } from '../../vault/vault.js';
import { databaseUrlOf, masterKeysOf } from '../engines.js';
import { checkChores } from './doctor-chores.js';
import { checkClock, checkProjections, checkVersion } from './doctor-engines.js';
import { checkLedger } from './doctor-ledger.js';
import { liveOperators, liveSettings, liveUpkeep } from './doctor-live.js';
import { checkFolder } from './doctor-folder.js';
import { checkVendorList } from './doctor-lists.js';
import { checkOperators } from './doctor-operators.js';
import { checkStreams } from './doctor-streams.js';
import { reachRedis, reachSmtp } from './doctor-reach.js';
import { fail, ok, warn, type Finding } from './findings.js';
import { comparedLog } from '../known-log.js';
import { projectionStatus } from '../projections.js';
import type { Release, Settings } from '../release.js';

/** Checks every part of an installation. Changes nothing. Leaves out parts that it cannot reach. `live`: also whether it is ready for people. */
export async function examine(release: Release, env: Settings, live = false): Promise<Finding[]> {
  const config = settled(() => readConfig(env));
  if ('problem' in config)
    return [fail('settings', config.problem, 'Correct them; see the documentation of the settings.')];
  const findings = [
    ok('settings', 'all usable'),
    ...(await checkFolder(config.value.dataFolder, config.value.masterKey === null)),
    ...(await checkEngines(release, config.value, live)),
  ];
  if (config.value.redisUrl !== null) findings.push(await reachRedis(config.value.redisUrl));
  if (live) findings.push(...liveSettings(config.value, env['NODE_ENV'] === 'production'));
  findings.push(
    config.value.smtpUrl === null
      ? warn(
          'SMTP',
          'not set: mail of test environments goes to /outbox, mail of live ones fails',
          'Set SMTP_URL before mail is needed in a live environment.',
        )
      : await reachSmtp(config.value.smtpUrl),
  );
  return findings;
}

async function checkEngines(release: Release, config: Config, live: boolean): Promise<Finding[]> {
  const url = settled(() => databaseUrlOf(config));
  if ('problem' in url) return [fail('database', url.problem, 'Start Assent, or set DATABASE_URL.')];
  const database = new Database(url.value, { max: 2, name: 'assent doctor', budgetMs: 10_000 });
  try {
    if (!(await database.reachable()))
      return [
        fail('database', 'does not answer', 'Start it, or correct DATABASE_URL: address, name, user and password.'),
      ];
    const pending = await pendingMigrations(url.value, release.migrations);
    const findings = [
      await checkVersion(database),
      await checkClock(database),
      pending.length === 0
        ? ok('migrations', 'none pending')
        : fail('migrations', `${pending.length} pending`, 'Run assent migrate with this release.'),
    ];
    if (pending.length === 0)
      findings.push(
        await checkMasterKey(config, database),
        ...(await checkLog(release, config, database, live)),
        ...(live ? await liveUpkeep(database) : []),
        await checkLedger(database),
        await checkVendorList(config.vendorLists, database),
        ...(await checkChores(release.chores, database)),
      );
    return findings;
  } finally {
    await database.close();
  }
}

/** Checks the master key with the proof of the first start, and with the keys of the oldest and the newest subject. */
async function checkMasterKey(config: Config, database: Database): Promise<Finding> {
  const key = settled(() => masterKeysOf(config));
  if ('problem' in key)
    return fail(
      'master key',
      key.problem,
      'Set ASSENT_MASTER_KEY to the key that this database was made with, or restore master.key.',
    );
  try {
    const master = await openMasterKey(database, key.value);
    await proveMasterKey(new Vault(database, master));
    const wrapped = await database.run<{ subject_id: string; wrapped: Buffer }>(
      '(select subject_id, wrapped from vault.subject_keys order by subject_id limit 1) union (select subject_id, wrapped from vault.subject_keys order by subject_id desc limit 1)',
    );
    for (const { subject_id, wrapped: sealed } of wrapped) master.unwrapSubjectKey(subject_id, sealed);
    return ok('master key', wrapped.length === 0 ? 'fits; there is no subject yet' : 'opens the keys of subjects');
  } catch (error) {
    if ((error as Error).name === 'DependencyUnavailable') throw error;
    return fail(
      'master key',
      'is not the one that the vault was made with',
      'Set ASSENT_MASTER_KEY to that one, or restore master.key: with another key the service finds no subject, and cannot read personal data.',
    );
  }
}

async function checkLog(
  { openLog, projections, sinks }: Release,
  config: Config,
  database: Database,
  live: boolean,
): Promise<Finding[]> {
  try {
    await proveLogPrefix(database, config.logPrefix);
  } catch (error) {
    if ((error as Error).name !== 'StartRefused') throw error;
    return [fail('log', 'is not the one that this database belongs to', (error as Error).message)];
  }
  const log = await openLog(database, config);
  try {
    const head = await log.head();
    const { difference } = await comparedLog({ log, database });
    if (difference !== null)
      return [
        fail(
          'log',
          `is not the one that the service knows: ${difference}`,
          'Bring the right log back (ESDB_URL, DATABASE_URL, a newer copy), or accept this one: assent log status says what was lost. Until then nothing is written.',
        ),
      ];
    return [
      ok('log', `${config.esdbUrl === null ? 'in Postgres' : 'in EventStoreDB'}, at position ${head}`),
      ...(await checkStreams(log)),
      await checkOperators(log),
      ...(live ? [await liveOperators(log)] : []),
      ...(await checkProjections(() => projectionStatus({ log, database, projections, sinks }))),
    ];
  } catch (error) {
    if ((error as Error).name !== 'LogUnavailable') throw error;
    return [
      fail(
        'log',
        `does not answer: ${reasonOf(error)}`,
        config.esdbUrl === null ? 'See the database.' : 'Start EventStoreDB, or correct ESDB_URL.',
      ),
    ];
  } finally {
    await log.close();
  }
}

/** The refusal of a start as a finding. */
function settled<T>(read: () => T): { value: T } | { problem: string } {
  try {
    return { value: read() };
  } catch (error) {
    if ((error as Error).name !== 'StartRefused') throw error;
    return { problem: (error as Error).message.split('\n').join(' ') };
  }
}
