import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { StartRefused } from '../engines/start-refused.js';
import type { Vault } from './vault.js';

export const PROOF = 'proof of the master key';

/**
 * The first start puts a sealed word into the vault; every later start must be able to open it. With another master key
 * the service would find no subject, and would answer "never asked" for every person.
 */
/** True at the first start: the proof was not there yet. */
export const leaveProof = (vault: Vault): Promise<boolean> => vault.putSecret(PROOF, Buffer.from(PROOF));

/** Rejects with StartRefused where another key sealed the proof. Resolves where no start has left a proof yet. */
export async function proveMasterKey(vault: Pick<Vault, 'secret'>): Promise<void> {
  try {
    await vault.secret(PROOF);
  } catch (error) {
    if (error instanceof DependencyUnavailable) throw error;
    throw new StartRefused(
      'The master key is not the one this database was made with; set ASSENT_MASTER_KEY (or put master.key into the data folder) to that one.',
      { cause: error },
    );
  }
}
