import { randomBytes, sign } from 'node:crypto';
import nacl from 'tweetnacl';
import type { Environment } from '../kernel/index.js';
import type { Vault } from '../platform/vault/vault.js';
import { receiptJws } from './jws.js';
import type { ReceiptSigner } from './receipt-signer.js';
import { SEED_BYTES, signingKey, type PublicJwk, type SigningKey } from './signing-key.js';

/** One key per environment, so that nothing signed in `test` ever verifies as `live`. */
export class SigningKeys implements ReceiptSigner {
  /** What verifies every receipt there is; known before the first one is signed. */
  readonly published: readonly PublicJwk[];

  private constructor(private readonly keys: Record<Environment, SigningKey>) {
    this.published = Object.values(keys).map(({ jwk }) => jwk);
  }

  /**
   * Whoever opens them first makes them; the vault keeps their seeds sealed, and hands the same ones to every instance.
   * To be opened before requests come: proving both holds up a cold process for some 100 ms.
   */
  static async open(vault: Vault): Promise<SigningKeys> {
    return new SigningKeys({ test: await open(vault, 'test'), live: await open(vault, 'live') });
  }

  sign(env: Environment, receipt: object): Promise<string> {
    return Promise.resolve(receiptJws(receipt, this.keys[env]));
  }
}

async function open(vault: Vault, env: Environment): Promise<SigningKey> {
  const name = `receipt-signing-key/${env}`;
  let seed = await vault.secret(name);
  if (!seed) {
    await vault.putSecret(name, randomBytes(SEED_BYTES));
    // Read back: of several instances that make one at once, the first has made it for all.
    seed = (await vault.secret(name))!;
  }
  const key = signingKey(seed);
  prove(key, seed);
  return key;
}

/** Two implementations must agree on the key and on a signature, before anything is signed that has to verify for years. */
function prove({ privateKey, jwk }: SigningKey, seed: Uint8Array): void {
  const { publicKey } = nacl.sign.keyPair.fromSeed(seed);
  const message = Buffer.from(jwk.kid);
  if (Buffer.from(publicKey).toString('base64url') !== jwk.x || !nacl.sign.detached.verify(message, sign(null, message, privateKey), publicKey)) throw new Error('the signing key does not verify what it signs');
}
