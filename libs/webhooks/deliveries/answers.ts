import { isForgotten } from '../../kernel/index.js';
import type { Vault } from '../../vault/vault.js';

const fieldOf = (deliveryId: bigint): string => `webhook-answer/${deliveryId}`;

/** A delivery, as far as its answers are concerned. */
export interface Answered {
  id: bigint;
  subjectId: string | null;
}

/**
 * What receivers answered. An answer may repeat what the receiver was sent, so it is sealed with the key of the subject
 * and gone with it. An answer to an event without a subject is kept as it came.
 */
export class Answers {
  constructor(private readonly vault: Pick<Vault, 'cipherOf'>) {}

  /** Null where there is nothing to keep, or no key any more. */
  async seal({ id, subjectId }: Answered, answer: Buffer): Promise<Buffer | null> {
    if (answer.length === 0) return null;
    if (subjectId === null) return answer;
    const cipher = await this.vault.cipherOf(subjectId);
    if (cipher.destroyed) return null;
    return Buffer.from(JSON.stringify(cipher.encrypt(fieldOf(id), answer.toString('base64'))));
  }

  /** Null where the subject was erased. */
  async open({ id, subjectId }: Answered, kept: Buffer): Promise<Buffer | null> {
    if (subjectId === null) return kept;
    const cipher = await this.vault.cipherOf(subjectId);
    const answer = cipher.decrypt(fieldOf(id), JSON.parse(kept.toString()));
    return isForgotten(answer) ? null : Buffer.from(answer as string, 'base64');
  }
}
