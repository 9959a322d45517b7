import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Controller, Get, HttpException, UseGuards, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AssentClient, UsageError } from '../../libs/client/index.js';
import {
  requireConsent,
  requireConsentGuard,
  requireConsentHook,
  type ConsentRequirement,
} from '../../libs/client/middleware/index.js';
import { startWorld, type World } from '../support/world.js';

/* Routes that need consent, of an Express and a Nest that run here, and by the shape of a hook of Fastify. */

interface Asking {
  headers: Record<string, string | string[] | undefined>;
}
interface Answered {
  status: number;
  body: unknown;
}

let world: World;
let client: AssentClient;
/** Asks a route as this person. */
let frameworks: Record<string, (subject: string | null, client?: AssentClient) => Promise<Answered>>;
const failures: unknown[] = [];

const requirement = (purpose: string | string[]): ConsentRequirement<Asking> => ({
  purpose,
  subject: ({ headers }) => headers['x-subject'] as string | undefined,
  place: () => ({ country: 'DE' }),
  onError: (error) => failures.push(error),
});
const overHttp = (server: Server) => async (subject: string | null) => {
  const { port } = server.address() as AddressInfo;
  const headers: Record<string, string> = subject === null ? {} : { 'x-subject': subject };
  const answer = await fetch(`http://127.0.0.1:${port}/offers`, { headers });
  return { status: answer.status, body: (await answer.json()) as unknown };
};

async function byExpress(subject: string | null, asked: AssentClient): Promise<Answered> {
  const app = express();
  app.get('/offers', requireConsent(asked, requirement('marketing')), (_, response) => void response.json('offers'));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await overHttp(server)(subject);
  } finally {
    server.close();
  }
}

async function byNest(subject: string | null, asked: AssentClient): Promise<Answered> {
  @Controller()
  class Offers {
    @Get('offers')
    @UseGuards(requireConsentGuard(asked, requirement('marketing'), HttpException))
    offers(): string {
      return '"offers"';
    }
  }
  class Shop {}
  const app: INestApplication = await NestFactory.create({ module: Shop, controllers: [Offers] }, { logger: false });
  await app.listen(0, '127.0.0.1');
  try {
    return await overHttp(app.getHttpServer() as Server)(subject);
  } finally {
    await app.close();
  }
}

/** As Fastify calls a hook: it goes on where nothing was returned. */
async function byFastify(subject: string | null, asked: AssentClient): Promise<Answered> {
  let answered: Answered | undefined;
  const reply = { code: (status: number) => ({ send: (body: unknown) => ((answered = { status, body }), reply) }) };
  const hook = requireConsentHook(asked, requirement('marketing'));
  const returned = await hook({ headers: { 'x-subject': subject ?? undefined } }, reply);
  expect(returned).toBe(answered && reply);
  return answered ?? { status: 200, body: 'offers' };
}

beforeAll(async () => {
  world = await startWorld();
  client = new AssentClient({ baseUrl: world.url, apiKey: world.demo.secretKey, timeoutMs: 120_000 });
  frameworks = Object.fromEntries(
    Object.entries({ Express: byExpress, Fastify: byFastify, Nest: byNest }).map(([name, by]) => [
      name,
      (subject, asked = client) => by(subject, asked),
    ]),
  );
});
afterAll(async () => {
  await world?.stop();
});

const refused = (reason: string): Answered => ({
  status: 403,
  body: { code: 'consent_required', message: 'The person does not allow marketing.', purpose: 'marketing', reason },
});
const decide = (subject: string, decision: string, purpose = 'marketing'): Promise<unknown> =>
  client.recordConsent({
    subject,
    purpose,
    decision: decision as 'GRANTED',
    collection: { method: 'CHECKBOX', surface: 'FORM' },
  });

describe.each(['Express', 'Fastify', 'Nest'])('a route of %s', (name) => {
  const subject = `user_id:require-${name.toLowerCase()}`;
  const ask: (typeof frameworks)[string] = (...args) => frameworks[name]!(...args);

  test('is open to a person who allows it, and closed to the others with the reason', async () => {
    expect(await ask(null)).toEqual(refused('NO_SUBJECT'));
    expect(await ask(subject)).toEqual(refused('NEVER_ASKED'));
    await decide(subject, 'GRANTED');
    expect(await ask(subject)).toEqual({ status: 200, body: 'offers' });
    await decide(subject, 'WITHDRAWN');
    expect(await ask(subject)).toEqual(refused('EXPLICIT'));
  });

  test('is closed where the service does not say', async () => {
    failures.length = 0;
    const cut = new AssentClient({ baseUrl: 'http://127.0.0.1:1', apiKey: world.demo.secretKey, timeoutMs: 50 });
    const wrong = new AssentClient({ baseUrl: world.url, apiKey: `${world.demo.secretKey.slice(0, -4)}AAAA` });
    for (const asked of [cut, wrong])
      expect(await ask(subject, asked)).toEqual({
        status: 503,
        body: expect.objectContaining({ code: 'consent_unknown', reason: null }),
      });
    expect(failures).toHaveLength(2);
  });
});

test('each of several purposes has to be allowed, and an unchanged answer comes without a body', async () => {
  const subject = 'user_id:require-both';
  const statuses: number[] = [];
  const counted = new AssentClient({
    ...client.options,
    fetch: (...args) => fetch(...args).then((answer) => (statuses.push(answer.status), answer)),
  });
  const passes = async (purpose: string | string[]): Promise<string | null> => {
    let reason: string | null = null;
    const response = { status: () => ({ json: (body: unknown) => (reason = (body as { purpose: string }).purpose) }) };
    await requireConsent(counted, requirement(purpose))(
      { headers: { 'x-subject': subject } },
      response,
      () => undefined,
    );
    return reason;
  };
  await decide(subject, 'GRANTED');
  expect(await passes(['marketing', 'analytics'])).toBe('analytics');
  await decide(subject, 'GRANTED', 'analytics');
  expect([await passes(['marketing', 'analytics']), await passes(['marketing', 'analytics'])]).toEqual([null, null]);
  expect(statuses.at(-1)).toBe(304);
});

test('a route without a purpose, or with a public key, is refused when it is declared', () => {
  expect(() => requireConsent(client, requirement([]))).toThrow(TypeError);
  const open = new AssentClient({ baseUrl: world.url, apiKey: world.demo.publicKey });
  expect(() => requireConsent(open, requirement('marketing'))).toThrow(UsageError);
});
