import { execFile } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compactVerify, createLocalJWKSet } from 'jose';

export interface Jwk {
  kty: string;
  crv: string;
  x: string;
  kid: string;
}

const run = promisify(execFile);

/** Those who hold a receipt and the key set and have nothing of ours: each says whether the signature holds. */
export const VERIFIERS: Record<string, (jws: string, keys: readonly Jwk[]) => Promise<boolean>> = {
  jose: (jws, keys) =>
    compactVerify(jws, createLocalJWKSet({ keys: [...keys] }), { algorithms: ['EdDSA', 'Ed25519'] }).then(
      ({ protectedHeader }) => protectedHeader.typ === 'consent-receipt+jws',
      () => false,
    ),

  WebCrypto: async (jws, keys) => {
    const { signed, signature, key } = parted(jws, keys);
    const imported = await crypto.subtle.importKey('jwk', { ...key }, { name: 'Ed25519' }, false, ['verify']);
    return crypto.subtle.verify('Ed25519', imported, signature, signed);
  },

  'the openssl command line': async (jws, keys) => {
    const { signed, signature, key } = parted(jws, keys);
    const folder = await mkdtemp(join(tmpdir(), 'assent-receipt-'));
    const file = (name: string): string => join(folder, name);
    try {
      await Promise.all([
        writeFile(file('key.pem'), pemOf(key)),
        writeFile(file('signed'), signed),
        writeFile(file('signature'), signature),
      ]);
      return await run('openssl', [
        ...['pkeyutl', '-verify', '-pubin', '-inkey', file('key.pem'), '-rawin'],
        ...['-in', file('signed'), '-sigfile', file('signature')],
      ]).then(
        ({ stdout }) => stdout.includes('Signature Verified Successfully'),
        () => false,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** A list of numbers and key files on standard input; prints those whose signature does not hold. */
const EACH_BY_OPENSSL = `while read -r n key; do
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$n.signed" -sigfile "$n.signature" >/dev/null 2>&1 || echo "$n"
done <list`;

/** Those that the openssl command line refuses, by their place in the list. One shell for all; each some 4 ms. */
export async function refusedByOpenssl(all: readonly string[], keys: readonly Jwk[]): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assent-receipts-'));
  const file = (name: string): string => join(folder, name);
  try {
    for (const key of keys) await writeFile(file(`${key.kid}.pem`), pemOf(key));
    const list: string[] = [];
    for (const [n, jws] of all.entries()) {
      const { signed, signature, key } = parted(jws, keys);
      await Promise.all([writeFile(file(`${n}.signed`), signed), writeFile(file(`${n}.signature`), signature)]);
      list.push(`${n} ${key.kid}.pem\n`);
    }
    await writeFile(file('list'), list.join(''));
    const { stdout } = await run('sh', ['-c', EACH_BY_OPENSSL], { cwd: folder });
    return stdout.split('\n').filter(Boolean).map(Number);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const pemOf = (key: Jwk): string | Buffer =>
  createPublicKey({ key: { ...key }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });

function parted(jws: string, keys: readonly Jwk[]) {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const key = keys.find((each) => each.kid === kid);
  if (!key) throw new Error(`no key ${kid}`);
  return { key, signed: Buffer.from(`${header}.${payload}`), signature: Buffer.from(signature, 'base64url') };
}
