import type { Queries } from '../engines/database/database.js';
import { StartRefused } from '../engines/start-refused.js';
import { PROOF } from './master-key-proof.js';
import { MasterKey } from './master-key.js';

/** The keys that a process was given: `key` seals and opens; `other`, during a rotation, only opens. */
export interface GivenMasterKeys {
  key: Buffer;
  other: Buffer | null;
}

const CARRIED = { name: 'vault_carried', text: 'select carried, finished_at from vault.master_keys where id = $1' };
const SEALED = { name: 'vault_secret_sealed', text: 'select sealed from vault.sealed_secrets where name = $1' };

/**
 * The master key with all that it took over in rotations. Rejects with StartRefused where it is a new key to which no
 * rotation has carried anything: with it the service would find no subject.
 */
export async function openMasterKey(database: Queries, { key, other }: GivenMasterKeys): Promise<MasterKey> {
  const alone = new MasterKey(key);
  const beside = other && !other.equals(key) ? new MasterKey(other) : null;
  const [row] = await database.query<{ carried: Buffer; finished_at: Date | null }>(CARRIED, [alone.id]);
  if (row && row.finished_at === null && !beside)
    throw new StartRefused(
      'The master key is being rotated to this one: give the old one as ASSENT_MASTER_KEY_OTHER until "assent keys rotate-master" is done.',
    );
  if (row) return new MasterKey(key, alone.carried(row.carried), beside);
  const [proof] = await database.query<{ sealed: Buffer }>(SEALED, [PROOF]);
  if (beside && proof && !alone.sealedItself(PROOF, proof.sealed))
    throw new StartRefused(
      'The new master key was not prepared: give the old one as ASSENT_MASTER_KEY and the new one as ASSENT_MASTER_KEY_OTHER, and run "assent keys rotate-master" first.',
    );
  return new MasterKey(key, null, beside);
}
