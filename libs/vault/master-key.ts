import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync } from 'node:crypto';
import { idBytes } from '../engines/id-bytes.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM: 12 bytes IV, ciphertext, 16 bytes tag; `about` is the associated data. The IV is random by default. An IV
 * that the caller gives must be derived from what is sealed: two contents under one IV would open both.
 */
export function sealWith(key: Buffer, clear: Uint8Array, about: string, iv: Uint8Array = idBytes(IV_BYTES)): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about));
  const body = cipher.update(clear);
  return Buffer.concat([iv, body, cipher.final(), cipher.getAuthTag()]);
}

/** Throws where another key sealed the bytes, the bytes were changed, or `about` is another. */
export function openWith(key: Buffer, sealed: Uint8Array, about: string): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(about))
    .setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES)), decipher.final()]);
}

/** Opens with the first key that fits. Throws where none does. */
function openWithFirst(keys: readonly Buffer[], sealed: Uint8Array, about: string): Buffer {
  for (const key of keys.slice(0, -1)) {
    try {
      return openWith(key, sealed, about);
    } catch {
      // The next key may have sealed it.
    }
  }
  return openWith(keys.at(-1)!, sealed, about);
}

/** HMAC-SHA-256 (RFC 2104) works on blocks of 64 bytes. */
const BLOCK = 64;
/** Longer texts are rare. */
const LONGEST_TEXT = 8192;
const inner = Buffer.alloc(BLOCK + LONGEST_TEXT);
const outer = Buffer.alloc(BLOCK + 32);

/**
 * HMAC-SHA-256 in hex under a key of at most 64 bytes, by two hashes in one go each: a record makes five, and objects of
 * `createHmac`, which the collector of garbage has to end one by one, took twice as long.
 */
function macOf(key: Buffer, text: string): string {
  // A character takes at most three bytes.
  if (text.length * 3 > LONGEST_TEXT) return createHmac('sha256', key).update(text).digest('hex');
  for (let i = 0; i < BLOCK; i++) {
    const byte = key[i] ?? 0;
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  const length = BLOCK + inner.write(text, BLOCK);
  outer.write(hash('sha256', inner.subarray(0, length), 'hex'), BLOCK, 'hex');
  return hash('sha256', outer, 'hex');
}

/** Keys that outlive a rotation, because the log, links in mailboxes and look-ups of identifiers depend on them. */
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
  /** Of earlier master keys, the newest first. Events that were sealed with them stay in the log as they are. */
  secrets: readonly Buffer[];
}

const derivedFrom = (master: Buffer, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', `assent/${use}/v1`, 32));

/** Seals for one purpose: the result opens for no other purpose. */
export interface Sealing {
  seal(purpose: string, clear: Uint8Array): Uint8Array;
  open(purpose: string, sealed: Uint8Array): Uint8Array;
}

/** The part of a master key that seals and opens, without its derived secrets. */
export const sealingOf = (master: MasterKey): Sealing => ({
  seal: (purpose, clear) => master.sealSecret(purpose, clear),
  open: (purpose, sealed) => master.openSecret(purpose, sealed),
});

/**
 * The operator's one secret (32 bytes). It encrypts nothing itself: each use derives a key of its own (HKDF-SHA-256), so
 * that a leak of one key says nothing about the others. During a rotation there is a second master key, which opens but
 * does not seal.
 */
export class MasterKey {
  /** Names the key in rows that are sealed with it. The key cannot be computed from it. */
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

  /** The keys that outlive a rotation, sealed with the next master key. */
  carryTo(next: MasterKey): Buffer {
    const hex = (key: Buffer): string => key.toString('hex');
    const lasting = Object.fromEntries(Object.entries(this.lasting).map(([name, key]) => [name, hex(key)]));
    const secrets = [this.secrets, ...this.earlierSecrets].map(hex);
    return sealWith(next.carrying, Buffer.from(JSON.stringify({ lasting, secrets })), `carried/${next.id}`);
  }

  /** Opens keys that an earlier master key carried to this one. Throws where they were carried to another. */
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

  /** Whether this key sealed it, and not the second key of a rotation. */
  sealedItself(purpose: string, sealed: Uint8Array): boolean {
    try {
      openWith(this.secrets, sealed, purpose);
      return true;
    } catch {
      return false;
    }
  }

  /** The only look-up key of an identifier. A copy of the table is useless without the master key. */
  identifierDigest(site: string, env: string, reference: string): Buffer {
    return Buffer.from(macOf(this.lasting.identifiers, `${site}\u001f${env}\u001f${reference}`), 'hex');
  }

  /**
   * What the log keeps for ever of a request or an idempotency key, in hex. Keyed, so that a reader of the log cannot try
   * guesses on it without the master key.
   */
  requestDigest(text: string): string {
    return macOf(this.lasting.requests, text);
  }

  /**
   * The 256 bits of the token of a request. They are derived from the master key and stored nowhere, so that a repeated
   * answer to the request has the same token, and a copy of the database has none.
   */
  confirmationSecret(requestId: string): Buffer {
    return createHmac('sha256', this.lasting.confirmations).update(requestId).digest();
  }

  /**
   * The secret in the link to a receipt. It is derived from a key that outlives a rotation, so that a link which was
   * handed out opens the receipt for good.
   */
  receiptSecret(receiptId: string): Buffer {
    this.receipts ??= derivedFrom(this.lasting.links, 'receipts');
    return Buffer.from(macOf(this.receipts, receiptId), 'hex');
  }

  /**
   * A source of random bytes, derived from the master key, that gives the same bytes for the same request. A key that is
   * minted from them is stored nowhere, and a repeated answer to the request still shows the same key.
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

  /** Seals the content of a link: its holder can neither read nor change it. The same content gives the same link. */
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

  /** The salt of IP addresses in rate limits: all instances count an address alike, and no counter names it. */
  addressSalt(): string {
    return this.lasting.addresses.toString('base64url');
  }

  /** The operator token. It is derived from the master key, so it can be printed again and is stored nowhere. */
  operatorToken(): string {
    return `op_${createHmac('sha256', this.lasting.operator).update('operator').digest('base64url')}`;
  }
}
