import { randomBytes, timingSafeEqual } from 'node:crypto';
import { request, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { KeyDirectory } from '../../../access/index.js';
import { systemClock, type Instant } from '../../../kernel/index.js';
import { createApplication } from '../../application.js';
import type { ApplicationOptions } from '../../application-options.js';
import type { Infrastructure } from '../../infrastructure/infrastructure.js';

const READY_WITHIN_MS = 30_000;
const ONLY_HERE = 'x-demo-history';

/** Longer than a reservation of a request lasts whose process was killed. */
const TRIES_MAX = 120;
const TRY_EVERY_MS = 1_000;

/** The service understood the call, and refused it. */
export class CallRefused extends Error {}

/** Where and how a made-up visitor calls. */
export interface From {
  country: string;
  region?: string | undefined;
  ip: string;
  userAgent: string;
  /** The browser sends Global Privacy Control. */
  gpc?: boolean | undefined;
}

export interface PastCall {
  at: Instant;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** Key or operator token. */
  token: string;
  body?: unknown;
  idempotencyKey?: string;
  from?: From;
}

export interface PastAnswer {
  status: number;
  body: Record<string, unknown>;
}

/**
 * The interface of the service over the same engines, at whatever moment of the past a call names. It answers this
 * process alone: each call carries a secret that is made anew at each start, since others could date records back by it.
 * All that is called goes the way of every request: guard, contract, handler, log.
 */
export class PastService {
  private at: Instant = systemClock();

  private constructor(
    private readonly secret: string,
    private port: number,
    private readonly end: () => Promise<void>,
    private readonly signal: AbortSignal,
  ) {}

  /** @param signal ends what waits: the process stops. */
  static async open(
    infrastructure: Infrastructure,
    options: ApplicationOptions,
    signal: AbortSignal,
  ): Promise<PastService> {
    const secret = randomBytes(32).toString('base64url');
    let service: PastService | null = null;
    const app = await createApplication(infrastructure, {
      ...options,
      roles: ['write-api'],
      clock: () => service?.at ?? systemClock(),
      trustedProxies: ['127.0.0.0/8'],
      edgeHeaders: { country: 'x-demo-country', region: 'x-demo-region' },
    });
    service = new PastService(secret, 0, () => app.close(), signal);
    try {
      const server = app.getHttpServer() as Server;
      answerOnlyTo(server, secret);
      await app.get(KeyDirectory).ready(READY_WITHIN_MS);
      await app.listen(0, '127.0.0.1');
      service.port = (server.address() as AddressInfo).port;
      return service;
    } catch (error) {
      await app.close();
      throw error;
    }
  }

  /** One after the other: the moment holds for all that is under way. Rejects where the service refuses. */
  async call(call: PastCall): Promise<Record<string, unknown>> {
    const { status, body } = await this.inTime(call);
    if (status >= 300)
      throw new (status < 500 ? CallRefused : Error)(
        `${call.method} ${call.path.split('?')[0]} answered ${status} ${String(body['code'])}`,
      );
    return body;
  }

  /** The answer, once a start that was killed no longer holds the step, and load is over. */
  private async inTime(call: PastCall): Promise<PastAnswer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.answerTo(call);
      const passes = answer.body['code'] === 'idempotency_in_progress' || [429, 503].includes(answer.status);
      if (!passes || tries === TRIES_MAX) return answer;
      await pause(TRY_EVERY_MS, undefined, { signal: this.signal });
    }
  }

  answerTo({ at, method, path, token, body, idempotencyKey, from }: PastCall): Promise<PastAnswer> {
    this.at = at;
    const text = body === undefined ? null : JSON.stringify(body);
    const headers: OutgoingHttpHeaders = {
      [ONLY_HERE]: this.secret,
      Authorization: `Bearer ${token}`,
      ...(text !== null && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(from && {
        'X-Forwarded-For': from.ip,
        'User-Agent': from.userAgent,
        'x-demo-country': from.country,
        ...(from.region !== undefined && { 'x-demo-region': from.region }),
        ...(from.gpc && { 'Sec-GPC': '1' }),
      }),
    };
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.port, method, path, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const said = Buffer.concat(parts).toString();
          resolve({
            status: answer.statusCode!,
            body: said === '' ? {} : (JSON.parse(said) as Record<string, unknown>),
          });
        });
      });
      sent.on('error', reject);
      sent.end(text ?? undefined);
    });
  }

  close(): Promise<void> {
    return this.end();
  }
}

function answerOnlyTo(server: Server, secret: string): void {
  const expected = Buffer.from(secret);
  const isOurs = ({ headers }: IncomingMessage): boolean => {
    const given = Buffer.from(String(headers[ONLY_HERE] ?? ''));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const answers = server.listeners('request') as ((...args: unknown[]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (incoming, response) => {
    if (isOurs(incoming)) for (const answer of answers) answer.call(server, incoming, response);
    else response.writeHead(404).end();
  });
}
