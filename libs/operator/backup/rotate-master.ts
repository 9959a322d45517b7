import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefused } from '../../engines/start-refused.js';
import { MasterKey } from '../../vault/master-key.js';
import { PROOF } from '../../vault/master-key-proof.js';
import { allowNext, rewrap } from '../../vault/rewrap.js';
import { masterKeysOf, OTHER_KEY_FILE, type Engines } from '../engines.js';

/** PREPARED: the next step is to restart the processes. DONE: everything is sealed with the new key. */
export interface MasterRotation {
  state: 'PREPARED' | 'DONE';
  /** Ids of the old and the new key. */
  from: string | null;
  to: string;
  /** Rows that this call sealed anew. */
  rewrapped: number;
  /** Whether the keys are in the data folder, or given by settings. */
  inFolder: boolean;
}

/**
 * Does the next step of a rotation of the master key, which the vault's state decides. Every step may be cut off and called
 * again. Rejects with StartRefused where there is no key to rotate to.
 */
export async function rotateMaster(
  engines: Engines,
  look: (share: number, done: number) => void,
): Promise<MasterRotation> {
  const { config, database, master } = engines;
  const inFolder = config.masterKey === null;
  const [proof] = await database.run<{ sealed: Buffer }>('select sealed from vault.sealed_secrets where name = $1', [
    PROOF,
  ]);
  const isNew = proof !== undefined && !master.sealedItself(PROOF, proof.sealed);
  const { key, other } = masterKeysOf(config);
  const isGiven = other !== null && !other.equals(key);
  // The old key stays in the folder until all is done: it shows that an earlier call was cut off before it removed the key.
  const isLeft = isGiven && inFolder && config.otherMasterKey === null;
  if (isNew || isLeft || (await isUnfinished(engines))) return finish(engines, inFolder, look);
  if (!isGiven && !inFolder)
    throw new StartRefused(
      'There is no key to rotate to: make one with "openssl rand -base64 32" and give it as ASSENT_MASTER_KEY_OTHER.',
    );
  const nextBytes = isGiven ? other : randomBytes(32);
  const next = new MasterKey(nextBytes);
  await allowNext(database);
  await database.run('insert into vault.master_keys (id, carried) values ($1, $2) on conflict (id) do nothing', [
    next.id,
    master.carryTo(next),
  ]);
  if (inFolder) await exchange(config.dataFolder, key, nextBytes);
  return { state: 'PREPARED', from: master.id, to: next.id, rewrapped: 0, inFolder };
}

/** Whether a rotation to this key was cut off after it had sealed the proof anew. */
async function isUnfinished({ database, master }: Engines): Promise<boolean> {
  const [row] = await database.run<{ finished_at: Date | null }>(
    'select finished_at from vault.master_keys where id = $1',
    [master.id],
  );
  return row !== undefined && row.finished_at === null;
}

async function finish(
  { config, database, master }: Engines,
  inFolder: boolean,
  look: (share: number, done: number) => void,
): Promise<MasterRotation> {
  const rewrapped = await rewrap(database, master, look);
  if (inFolder) await rm(join(config.dataFolder, OTHER_KEY_FILE), { force: true });
  return { state: 'DONE', from: master.other?.id ?? null, to: master.id, rewrapped, inFolder };
}

/** Writes the old key to a file of its own before the new one replaces it, so that neither is ever lost. */
async function exchange(folder: string, old: Buffer, next: Buffer): Promise<void> {
  await replace(join(folder, OTHER_KEY_FILE), old);
  await replace(join(folder, 'master.key'), next);
}

async function replace(path: string, key: Buffer): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${key.toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
