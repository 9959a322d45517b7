import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { idBytes } from '../id-bytes.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: 12 bytes IV, ciphertext, 16 bytes tag; `about` is bound in as associated data. An IV that is given must follow from what is sealed. */
export function sealWith(key: Buffer, clear: Uint8Array, about: string, iv: Uint8Array = idBytes(IV_BYTES)): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about));
  const body = cipher.update(clear);
  return Buffer.concat([iv, body, cipher.final(), cipher.getAuthTag()]);
}

/** Throws where the key is another, the bytes were changed, or they were sealed for something else. */
export function openWith(key: Buffer, sealed: Uint8Array, about: string): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(about))
    .setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES)), decipher.final()]);
}

/**
 * The operator's one secret (32 bytes). Nothing is encrypted with it directly: a key of its own is derived for each
 * use (HKDF-SHA-256), so that a leak of one says nothing about another.
 */
export class MasterKey {
  private readonly subjectKeys: Buffer;
  private readonly identifiers: Buffer;
  private readonly secrets: Buffer;
  private readonly operator: Buffer;
  private readonly addresses: Buffer;
  private readonly requests: Buffer;
  private readonly confirmations: Buffer;
  private readonly links: Buffer;
  private readonly linkNonces: Buffer;
  private readonly minting: Buffer;

  constructor(bytes: Buffer) {
    if (bytes.length !== 32) throw new RangeError('the master key has 32 bytes');
    const derived = (use: string): Buffer => Buffer.from(hkdfSync('sha256', bytes, '', `assent/${use}/v1`, 32));
    this.subjectKeys = derived('subject-keys');
    this.identifiers = derived('identifiers');
    this.secrets = derived('secrets');
    this.operator = derived('operator-token');
    this.addresses = derived('addresses');
    this.requests = derived('requests');
    this.confirmations = derived('confirmation-tokens');
    this.links = derived('links');
    this.linkNonces = derived('link-nonces');
    this.minting = derived('minting');
  }

  wrapSubjectKey(subjectId: string, key: Buffer): Buffer {
    return sealWith(this.subjectKeys, key, subjectId);
  }

  unwrapSubjectKey(subjectId: string, wrapped: Uint8Array): Buffer {
    return openWith(this.subjectKeys, wrapped, subjectId);
  }

  /** The only look-up key of an identifier: useless to who has the table but not the master key. */
  identifierDigest(site: string, env: string, reference: string): Buffer {
    return createHmac('sha256', this.identifiers).update(`${site}\u001f${env}\u001f${reference}`).digest();
  }

  /** What the log keeps for ever of a request and its idempotency key, in hex. Nobody without the master key can try guesses on it. */
  requestDigest(text: string): string {
    return createHmac('sha256', this.requests).update(text).digest('hex');
  }

  /**
   * What the token of a request is made of: 256 bits that nobody without the master key can guess. They are stored nowhere,
   * and yet the request answered again has the same token.
   */
  confirmationSecret(requestId: string): Buffer {
    return createHmac('sha256', this.confirmations).update(requestId).digest();
  }

  /**
   * A source of bytes that nobody without the master key can guess, and that begins anew with the same ones for the same
   * request: a key that is minted from them is stored nowhere, and yet the request answered again shows the same key.
   */
  bytesUnder(requestDigest: string): (count: number) => Uint8Array {
    let blocks = 0;
    let left = Buffer.alloc(0);
    return (count) => {
      while (left.length < count)
        left = Buffer.concat([
          left,
          createHmac('sha256', this.minting).update(`${requestDigest}/${blocks++}`).digest(),
        ]);
      const bytes = left.subarray(0, count);
      left = left.subarray(count);
      return bytes;
    };
  }

  /** Seals what a link says, so that whoever has it can neither read nor change it. The same content is the same link. */
  sealLink(clear: Uint8Array): Buffer {
    return sealWith(
      this.links,
      clear,
      'link',
      createHmac('sha256', this.linkNonces).update(clear).digest().subarray(0, IV_BYTES),
    );
  }

  openLink(sealed: Uint8Array): Buffer {
    return openWith(this.links, sealed, 'link');
  }

  sealSecret(purpose: string, clear: Uint8Array): Buffer {
    return sealWith(this.secrets, clear, purpose);
  }

  openSecret(purpose: string, sealed: Uint8Array): Buffer {
    return openWith(this.secrets, sealed, purpose);
  }

  /** Under which all instances count the calls of an address alike, without anybody being able to tell the address. */
  addressSalt(): string {
    return this.addresses.toString('base64url');
  }

  /** The operator token follows from the master key: it can be printed again, and is stored nowhere. */
  operatorToken(): string {
    return `op_${createHmac('sha256', this.operator).update('operator').digest('base64url')}`;
  }
}
