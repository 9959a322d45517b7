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
      const pem = createPublicKey({ key: { ...key }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
      await Promise.all([
        writeFile(file('key.pem'), pem),
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

function parted(jws: string, keys: readonly Jwk[]) {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
  const key = keys.find((each) => each.kid === kid);
  if (!key) throw new Error(`no key ${kid}`);
  return { key, signed: Buffer.from(`${header}.${payload}`), signature: Buffer.from(signature, 'base64url') };
}
