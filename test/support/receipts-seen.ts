import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Ask } from './asking.js';
import { VERIFIERS, type Jwk } from './receipt-verifiers.js';
import { verifies } from './receipt.js';

type Exchange = (method: string, path: string, ask: Ask) => Promise<Answer>;
interface Signed {
  receipt: { id: string };
  jws: string;
}

const AT_ONCE = 16;
const ANSWERED_WITHIN_MS = 120_000;
/** Each receipt is a process of its own for it, some 10 ms: so many of each world, from its first to its last. */
const BY_OPENSSL = 5;
const OPENSSL = 'the openssl command line';

/**
 * The receipts of all that a world recorded, by the answers that it was given. At its end each is fetched by its
 * capability and held against those who know nothing of the service.
 */
export class ReceiptsSeen {
  private readonly tokens = new Map<string, string>();
  private readonly signed = new Map<string, Signed>();

  /** Writes name receipts. Of what is read only receipts themselves count: documents show examples, which nobody recorded. */
  note(method: string, path: string, { status, body }: Answer): void {
    if (status < 300 && (method !== 'GET' || path.startsWith('/v1/receipts/'))) this.walk(body);
  }

  private walk(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const { receiptId, receiptToken, receipt, jws } = value as Record<string, unknown>;
    if (typeof receiptId === 'string' && typeof receiptToken === 'string') this.tokens.set(receiptId, receiptToken);
    if (typeof jws === 'string' && typeof receipt === 'object') {
      const { id } = receipt as { id?: string };
      if (id !== undefined) this.signed.set(id, value as Signed);
    }
    for (const each of Object.values(value)) this.walk(each);
  }

  /** Rejects where one is not there, or does not verify. Answers how many there were. */
  async verifyAll(exchange: Exchange): Promise<number> {
    if (this.tokens.size + this.signed.size === 0) return 0;
    const { body } = await answered(() => exchange('GET', '/.well-known/jwks.json', { key: null }), 'the key set');
    const keys = (body as { keys: Jwk[] }).keys;
    const waiting = [...this.tokens];
    const fetchNext = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [id, token] = next;
        const path = `/v1/receipts/${id}?token=${token}`;
        const { body: got } = await answered(() => exchange('GET', path, { key: null }), id);
        this.signed.set(id, got as Signed);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fetchNext));
    const all = [...this.signed];
    const step = Math.max(1, Math.ceil(all.length / BY_OPENSSL));
    for (const [i, [id, { receipt, jws }]] of all.entries()) {
      if (!verifies(jws, receipt, keys)) throw new Error(`the receipt ${id} is not what its JWS signs`);
      for (const [name, verifier] of Object.entries(VERIFIERS))
        if ((name !== OPENSSL || i % step === 0) && !(await verifier(jws, keys)))
          throw new Error(`the receipt ${id} is refused by ${name}`);
    }
    return all.length;
  }
}

/** A process that is just starting, or rows that are behind, are waited for. */
async function answered(ask: () => Promise<Answer>, what: string): Promise<Answer> {
  for (const deadline = Date.now() + ANSWERED_WITHIN_MS; ; await pause(50)) {
    const answer = await ask().catch((error: unknown) => error as Error);
    if (!(answer instanceof Error) && answer.status === 200) return answer;
    if (Date.now() > deadline || (!(answer instanceof Error) && answer.status < 500))
      throw new Error(
        `${what} was answered ${answer instanceof Error ? answer.message : `${answer.status} ${answer.text}`}`,
      );
  }
}
