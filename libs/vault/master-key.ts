import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { idBytes } from '../engines/id-bytes.js';

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

/** With the first key that opens it. Throws where none does. */
function openWithFirst(keys: readonly Buffer[], sealed: Uint8Array, about: string): Buffer {
  for (const key of keys.slice(0, -1)) {
    try {
      return openWith(key, sealed, about);
    } catch {
      // Sealed with one of the others.
    }
  }
  return openWith(keys.at(-1)!, sealed, about);
}

/** What is derived for good: the log, links in mailboxes and look-ups depend on it, so that it outlives a rotation. */
const LASTING = {
  identifiers: 'identifiers',
  operator: 'operator-token',
  addresses: 'addresses',
  requests: 'requests',
  confirmations: 'confirmation-tokens',
  links: 'links',
  linkNonces: 'link-nonces',
  minting: 'minting',
} as const;
type Lasting = Readonly<Record<keyof typeof LASTING, Buffer>>;

/** What a master key takes over from the one before it. */
export interface CarriedKeys {
  lasting: Lasting;
  /** Of earlier master keys, the newest first: what the log holds sealed with them cannot be sealed anew. */
  secrets: readonly Buffer[];
}

const derivedFrom = (master: Buffer, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `assent/${use}/v1`, 32));

/** Seals for one purpose what opens for no other. */
export interface Sealing {
  seal(purpose: string, clear: Uint8Array): Uint8Array;
  open(purpose: string, sealed: Uint8Array): Uint8Array;
}

/** What of a master key those need who only seal and open. */
export const sealingOf = (master: MasterKey): Sealing => ({
  seal: (purpose, clear) => master.sealSecret(purpose, clear),
  open: (purpose, sealed) => master.openSecret(purpose, sealed),
});

/**
 * The operator's one secret (32 bytes). Nothing is encrypted with it directly: a key of its own is derived for each
 * use (HKDF-SHA-256), so that a leak of one says nothing about another. While it is rotated there is another one, which
 * is read but not written with.
 */
export class MasterKey {
  /** Names the key in rows that are sealed with it; gives nothing away about it. */
  readonly id: string;
  private readonly subjectKeys: Buffer;
  private readonly secrets: Buffer;
  private readonly carrying: Buffer;
  private readonly lasting: Lasting;
  private readonly earlierSecrets: readonly Buffer[];
  private receipts: Buffer | undefined;

  constructor(
    bytes: Buffer,
    carried: CarriedKeys | null = null,
    readonly other: MasterKey | null = null,
  ) {
    if (bytes.length !== 32) throw new RangeError('the master key has 32 bytes');
    this.id = derivedFrom(bytes, 'id').subarray(0, 8).toString('hex');
    this.subjectKeys = derivedFrom(bytes, 'subject-keys');
    this.secrets = derivedFrom(bytes, 'secrets');
    this.carrying = derivedFrom(bytes, 'carried');
    this.lasting =
      carried?.lasting ??
      (Object.fromEntries(Object.entries(LASTING).map(([name, use]) => [name, derivedFrom(bytes, use)])) as Lasting);
    this.earlierSecrets = carried?.secrets ?? [];
  }

  /** What the next master key takes over from this one, sealed with the next one. */
  carryTo(next: MasterKey): Buffer {
    const hex = (key: Buffer): string => key.toString('hex');
    const lasting = Object.fromEntries(Object.entries(this.lasting).map(([name, key]) => [name, hex(key)]));
    const secrets = [this.secrets, ...this.earlierSecrets].map(hex);
    return sealWith(next.carrying, Buffer.from(JSON.stringify({ lasting, secrets })), `carried/${next.id}`);
  }

  /** Reads what was carried to this key. Throws where it was carried to another. */
  carried(sealed: Uint8Array): CarriedKeys {
    const { lasting, secrets } = JSON.parse(openWith(this.carrying, sealed, `carried/${this.id}`).toString()) as {
      lasting: Record<string, string>;
      secrets: string[];
    };
    const key = (hex: string): Buffer => Buffer.from(hex, 'hex');
    return {
      lasting: Object.fromEntries(Object.entries(lasting).map(([name, hex]) => [name, key(hex)])) as Lasting,
      secrets: secrets.map(key),
    };
  }

  wrapSubjectKey(subjectId: string, key: Buffer): Buffer {
    return sealWith(this.subjectKeys, key, subjectId);
  }

  unwrapSubjectKey(subjectId: string, wrapped: Uint8Array): Buffer {
    return openWithFirst([this.subjectKeys, ...(this.other ? [this.other.subjectKeys] : [])], wrapped, subjectId);
  }

  /** Whether it was sealed with this key itself, not with another one that it can read. */
  sealedItself(purpose: string, sealed: Uint8Array): boolean {
    try {
      openWith(this.secrets, sealed, purpose);
      return true;
    } catch {
      return false;
    }
  }

  /** The only look-up key of an identifier: useless to who has the table but not the master key. */
  identifierDigest(site: string, env: string, reference: string): Buffer {
    return createHmac('sha256', this.lasting.identifiers).update(`${site}\u001f${env}\u001f${reference}`).digest();
  }

  /** What the log keeps for ever of a request and its idempotency key, in hex. Nobody without the master key can try guesses on it. */
  requestDigest(text: string): string {
    return createHmac('sha256', this.lasting.requests).update(text).digest('hex');
  }

  /**
   * What the token of a request is made of: 256 bits that nobody without the master key can guess. They are stored nowhere,
   * and yet the request answered again has the same token.
   */
  confirmationSecret(requestId: string): Buffer {
    return createHmac('sha256', this.lasting.confirmations).update(requestId).digest();
  }

  /**
   * What the capability to read a receipt is made of. A key of its own, derived from one that outlives a rotation: what
   * was handed out opens the receipt for good.
   */
  receiptSecret(receiptId: string): Buffer {
    this.receipts ??= derivedFrom(this.lasting.links, 'receipts');
    return createHmac('sha256', this.receipts).update(receiptId).digest();
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
          createHmac('sha256', this.lasting.minting).update(`${requestDigest}/${blocks++}`).digest(),
        ]);
      const bytes = left.subarray(0, count);
      left = left.subarray(count);
      return bytes;
    };
  }

  /** Seals what a link says, so that whoever has it can neither read nor change it. The same content is the same link. */
  sealLink(clear: Uint8Array): Buffer {
    return sealWith(
      this.lasting.links,
      clear,
      'link',
      createHmac('sha256', this.lasting.linkNonces).update(clear).digest().subarray(0, IV_BYTES),
    );
  }

  openLink(sealed: Uint8Array): Buffer {
    return openWith(this.lasting.links, sealed, 'link');
  }

  sealSecret(purpose: string, clear: Uint8Array): Buffer {
    return sealWith(this.secrets, clear, purpose);
  }

  openSecret(purpose: string, sealed: Uint8Array): Buffer {
    const others = [...(this.other ? [this.other.secrets] : []), ...this.earlierSecrets];
    return openWithFirst([this.secrets, ...others], sealed, purpose);
  }

  /** Under which all instances count the calls of an address alike, without anybody being able to tell the address. */
  addressSalt(): string {
    return this.lasting.addresses.toString('base64url');
  }

  /** The operator token follows from the master key: it can be printed again, and is stored nowhere. */
  operatorToken(): string {
    return `op_${createHmac('sha256', this.lasting.operator).update('operator').digest('base64url')}`;
  }
}
