import { randomInt } from 'node:crypto';
import http, { type IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { noteRepeat, noteRequest } from './plain/repeats.mjs';

const PATIENCE_MS = 200;
const ANSWERED_WITHIN_MS = 240_000;
/** Less than the service keeps connections at rest: one that is used just as it is closed hangs up. */
const AT_REST_MS_MAX = 30_000;

export interface Ask {
  /** Default `sk`. Any other text is sent as the bearer token; null sends none. */
  key?: 'pk' | 'sk' | 'operator' | (string & {}) | null;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, with whatever Content-Type the headers name; `application/json` unless they do. */
  raw?: string | Buffer;
  /** Undefined leaves out what would be sent by itself. */
  headers?: Record<string, string | string[] | undefined>;
  /** The caller's address, as the trusted proxy in front reports it. Default: another one for every request, so that limits per address stay out of the way. */
  from?: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The parsed JSON; undefined where the answer is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- specs read what they expect
  body: any;
  text: string;
  /**
   * Asked again after the service said that it was late. What it was late with may have had its effect, so an answer
   * that would be the first may be a repeat.
   */
  isAskedAgain?: boolean;
}

export interface Asking {
  /** Sends one request and answers what came. */
  exchange(method: string, path: string, ask: Ask): Promise<Answer>;
  /** Ends the connections that nobody waits on. */
  rest(): void;
  /** Ends all connections. */
  close(): void;
}

/** How requests reach the service; `credential` makes the bearer token of what `Ask.key` names. */
export function asking(url: string, credential: (key: string) => string): Asking {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64, timeout: AT_REST_MS_MAX });
  // Worlds of one installation do not come from the same addresses.
  let callers = randomInt(2 ** 24);

  const exchange = (
    method: string,
    path: string,
    { key = 'sk', body, raw, headers = {}, from }: Ask,
  ): Promise<Answer> => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const own: Record<string, string | string[] | undefined> = {
      ...(key !== null && !names.includes('authorization') && { Authorization: `Bearer ${credential(key)}` }),
      ...(content !== undefined && !names.includes('content-type') && { 'Content-Type': 'application/json' }),
      ...(content !== undefined &&
        !names.includes('transfer-encoding') && { 'Content-Length': String(Buffer.byteLength(content)) }),
      ...(!names.includes('x-forwarded-for') && { 'X-Forwarded-For': from ?? addressOf(++callers) }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as Record<
      string,
      string | string[]
    >;
    return new Promise((resolve, reject) => {
      const request = http.request(`${url}${path}`, { method, headers: sent, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            body: text !== '' && /json/.test(response.headers['content-type'] ?? '') ? parsed(text) : undefined,
          });
        });
      });
      // What is reset on a new connection may not have been accepted: systems tell the client before the service does.
      request.on('error', (error) => reject(Object.assign(error, { isOnNewConnection: !request.reusedSocket })));
      request.end(content);
    });
  };

  return {
    exchange,
    rest: () => {
      for (const socket of Object.values(agent.freeSockets).flat()) socket!.destroy();
    },
    close: () => agent.destroy(),
  };
}

/**
 * Asks again where an engine did not answer the service in time, as the answer asks for. On a machine under load that
 * happens without a fault of the service, which promises 503 within two seconds. A run counts how often that was, and
 * fails where it was no matter of the machine, see `repeats.mjs`.
 */
export async function unhurried(exchange: Asking['exchange'], method: string, path: string, ask: Ask): Promise<Answer> {
  let isAskedAgain = false;
  noteRequest();
  for (const deadline = Date.now() + ANSWERED_WITHIN_MS; ; await pause(PATIENCE_MS)) {
    const answer = { ...(await exchange(method, path, ask)), isAskedAgain };
    const isLate = answer.status === 503 && answer.body?.code === 'dependency_unavailable';
    if (!isLate || answer.body.issues.length > 0 || Date.now() > deadline) return answer;
    isAskedAgain = true;
    noteRepeat();
  }
}

/** A first answer does not call itself a repeat, unless it had to be asked for again. */
export function expectFresh({ headers, isAskedAgain }: Answer): void {
  if (!isAskedAgain) expect(headers['idempotent-replayed']).toBeUndefined();
}

/** An answer that calls itself JSON and is none is for the check of answers to find. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 10.0.0.0 and up. */
const addressOf = (caller: number): string => `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`;
