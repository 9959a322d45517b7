import { UnreadableEvent, type Codec } from '../streams/codec.js';
import type { RecordedEvent } from '../log/port.js';
import { openSealed, type DomainEvent, type FieldCipher } from '../kernel/index.js';
import type { Vault } from '../vault/vault.js';

/** Opens what the key of a subject opens; undefined: left as it is stored. */
export type CipherOf = (subjectId: string) => FieldCipher | undefined;

/** The ciphers of these subjects, asked for once. */
export async function ciphersOf(vault: Pick<Vault, 'cipherOf'>, subjectIds: readonly string[]): Promise<CipherOf> {
  const ciphers = new Map(
    await Promise.all([...new Set(subjectIds)].map(async (id) => [id, await vault.cipherOf(id)] as const)),
  );
  return (subjectId) => ciphers.get(subjectId);
}

/** In clear and in today's schema; null where this release cannot read it: then what is stored is shown, sealed as it is. */
export function opened(
  codec: Codec,
  event: RecordedEvent,
  cipher: FieldCipher,
  cipherOf: CipherOf,
): DomainEvent | null {
  try {
    // A merge carries values that the absorbed subject's key had sealed. Opened first: what is in clear by then is the caller's text.
    const data: unknown = JSON.parse(JSON.stringify(event.data), (_, value: unknown) =>
      openSealed(value, (id) => cipherOf(id) ?? LEFT_SEALED),
    );
    return codec.decode({ type: event.type, metadata: event.metadata, data }, cipher);
  } catch (error) {
    if (error instanceof UnreadableEvent) return null;
    throw error;
  }
}

/** Leaves values of subjects sealed that are not part of the export. */
const LEFT_SEALED: FieldCipher = { encrypt: () => undefined, decrypt: () => null };
