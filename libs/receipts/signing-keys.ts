import { randomBytes, sign } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import nacl from 'tweetnacl';
import { ENVIRONMENTS, type Environment } from '../kernel/index.js';
import { DependencyUnavailable } from '../platform/dependency-unavailable.js';
import { Vault } from '../platform/vault/vault.js';
import { readJws, receiptJws, signedJws } from './jws.js';
import type { ReceiptSigner } from './receipt-signer.js';
import { SEED_BYTES, signingKey, type PublicJwk, type SigningKey } from './signing-key.js';
import type { SignedStatement, StatementSigner } from './statement-signer.js';

/**
 * One key per environment, so that nothing signed in `test` ever verifies as `live`. Whoever needs a key first makes it;
 * the vault keeps its seed sealed, and hands the same one to every instance.
 */
@Injectable()
export class SigningKeys implements ReceiptSigner, StatementSigner, OnModuleInit {
  private readonly keys = new Map<Environment, Promise<SigningKey>>();

  constructor(private readonly vault: Vault) {}

  /**
   * Before requests come: proving both keys holds up a cold process by some 100 ms, and one whose keys do not hold must
   * not start. A vault that is away does not keep it from starting.
   */
  async onModuleInit(): Promise<void> {
    await this.published().catch((error: unknown) => {
      if (!(error instanceof DependencyUnavailable)) throw error;
    });
  }

  async sign(env: Environment, receipt: object): Promise<string> {
    return receiptJws(receipt, await this.keyOf(env));
  }

  async state(env: Environment, type: string, statement: object): Promise<string> {
    return signedJws(type, statement, await this.keyOf(env));
  }

  async readStatement(type: string, text: string): Promise<SignedStatement | null> {
    const keys = await Promise.all(ENVIRONMENTS.map(async (env) => ({ env, ...(await this.keyOf(env)) })));
    const read = readJws(type, text, keys);
    return read && { env: read.key.env, content: read.content };
  }

  /** What verifies every receipt there is. Makes what is missing: a key must be known before its first receipt is. */
  async published(): Promise<PublicJwk[]> {
    const opening = ENVIRONMENTS.map((env) => this.keyOf(env));
    // Where one fails the other is waited for too: an attempt still under way would be shared with whoever asks next.
    await Promise.allSettled(opening);
    return (await Promise.all(opening)).map(({ jwk }) => jwk);
  }

  private keyOf(env: Environment): Promise<SigningKey> {
    const known = this.keys.get(env);
    if (known) return known;
    const opening = open(this.vault, env);
    this.keys.set(env, opening);
    // A vault that was away is asked again.
    opening.catch(() => this.keys.delete(env));
    return opening;
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
  if (
    Buffer.from(publicKey).toString('base64url') !== jwk.x ||
    !nacl.sign.detached.verify(message, sign(null, message, privateKey), publicKey)
  )
    throw new Error('the signing key does not verify what it signs');
}
