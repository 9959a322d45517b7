import { isForgotten, type FieldCipher } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { Delivery } from '../../deliveries/delivery.js';
import type { Vault } from '../../vault/vault.js';
import type { Envelope } from '../envelope.js';

// Two attempts are never made at once; what stands there already is what was sent.
const KEEP = {
  name: 'webhooks_keep_body',
  text: `update deliveries.delivery set payload = $2 where id = $1 and finished_at is null and payload = ''`,
};

const fieldOf = (key: string): string => `webhook-body/${key}`;

/** Bodies that name the identifiers of the subject in clear, for endpoints that ask for them. */
export class IdentifiedBodies {
  constructor(
    private readonly queries: Queries,
    private readonly vault: Pick<Vault, 'cipherOf' | 'identifiersOf'>,
  ) {}

  /**
   * The body with identifiers. It is made at the first attempt and kept sealed with the key of the subject, so that each
   * attempt sends the same bytes. Of a subject that was erased since it is the body without identifiers.
   */
  async of({ id, key, payload }: Delivery, subjectId: string, body: string): Promise<string> {
    const cipher = await this.vault.cipherOf(subjectId);
    if (cipher.destroyed) return body;
    if (payload.length > 0) return opened(cipher, key, payload) ?? body;
    const identifiers = await this.vault.identifiersOf(subjectId);
    if (identifiers.length === 0) return body;
    const envelope = JSON.parse(body) as Envelope;
    const identified = JSON.stringify({ ...envelope, subject: { ...envelope.subject, identifiers } });
    await this.queries.query(KEEP, [id, Buffer.from(JSON.stringify(cipher.encrypt(fieldOf(key), identified)))]);
    return identified;
  }
}

function opened(cipher: FieldCipher, key: string, payload: Buffer): string | null {
  const text = cipher.decrypt(fieldOf(key), JSON.parse(payload.toString()));
  return isForgotten(text) ? null : (text as string);
}
