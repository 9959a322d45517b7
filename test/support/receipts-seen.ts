import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Ask } from './asking.js';
import { refusedByOpenssl, VERIFIERS, type Jwk } from './receipt-verifiers.js';
import { verifies } from './receipt.js';

type Exchange = (method: string, path: string, ask: Ask) => Promise<Answer>;
interface Signed {
  receipt: { id: string };
  jws: string;
}

const AT_ONCE = 16;
const ANSWERED_WITHIN_MS = 240_000;
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
    for (const [id, { receipt, jws }] of all) {
      if (!verifies(jws, receipt, keys)) throw new Error(`the receipt ${id} is not what its JWS signs`);
      for (const [name, verifier] of Object.entries(VERIFIERS))
        if (name !== OPENSSL && !(await verifier(jws, keys)))
          throw new Error(`the receipt ${id} is refused by ${name}`);
    }
    await this.verifyByOpenssl(all, keys);
    return all.length;
  }

  /** One that was changed is among them: whoever accepts that one too looks at nothing. */
  private async verifyByOpenssl(all: readonly (readonly [string, Signed])[], keys: readonly Jwk[]): Promise<void> {
    const list = all.map(([, { jws }]) => jws);
    const refused = await refusedByOpenssl([...list, changed(list[0]!)], keys);
    const wrongly = refused.filter((n) => n < all.length).map((n) => all[n]![0]);
    if (wrongly.length > 0) throw new Error(`the receipts ${wrongly.join()} are refused by ${OPENSSL}`);
    if (refused.length === 0) throw new Error(`${OPENSSL} accepts a receipt that was changed`);
  }
}

/** The same with another character in the middle of what is signed. */
function changed(jws: string): string {
  const [header, payload = '', signature] = jws.split('.');
  const at = payload.length >> 1;
  return [header, `${payload.slice(0, at)}${payload[at] === 'A' ? 'B' : 'A'}${payload.slice(at + 1)}`, signature].join(
    '.',
  );
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
