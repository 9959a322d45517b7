import { generateKeyPairSync, sign, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto';

/** DER: tag, length, content. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const size =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
const DAY_MS = 86_400_000;

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const commonName = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));

/** A private key and what vouches for it, as PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** Signs for `subject`; by default `subject` signs for itself. */
function certificate(
  subject: string,
  serial: number,
  { privateKey, publicKey }: KeyPairKeyObjectResult,
  by: { name: string; key: KeyObject } = { name: subject, key: privateKey },
  until = new Date(Date.now() + DAY_MS),
): Certificate {
  const alternativeNames = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const mayVouch = by.key === privateKey ? sequence(der(0x01, Buffer.from([0xff]))) : sequence();
  const certified = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial])),
    ECDSA_WITH_SHA256,
    commonName(by.name),
    sequence(utcTime(new Date(Date.now() - 2 * DAY_MS)), utcTime(until)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(sequence(oid('551d11'), der(0x04, alternativeNames)), sequence(oid('551d13'), der(0x04, mayVouch))),
    ),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', certified, by.key));
  const cert = sequence(certified, ECDSA_WITH_SHA256, signature)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert}-----END CERTIFICATE-----\n`,
  };
}

const newKeys = (): KeyPairKeyObjectResult => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

/** A certificate for `localhost` and 127.0.0.1 that vouches for itself, valid until tomorrow. */
export const selfSignedCertificate = (): Certificate => certificate('localhost', 1, newKeys());

/** An authority of one's own, and certificates for `localhost` and 127.0.0.1 that it vouches for; valid until tomorrow. */
export function certificateAuthority(name: string): { cert: string; issue(until?: Date): Certificate } {
  const keys = newKeys();
  let issued = 1;
  return {
    cert: certificate(name, issued, keys).cert,
    issue: (until) => certificate('localhost', ++issued, newKeys(), { name, key: keys.privateKey }, until),
  };
}
