import { Controller, Get, Head, Module, Param, Post, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { connect } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { refusal, Refused } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { quality, requireAcceptable } from '../accept.js';
import { readJsonBody } from '../contract/body.js';
import { CallerOf } from '../caller.js';
import { ErrorFilter, errorCatalogue, refused } from './errors.js';
import { FastExpressAdapter } from '../fast-express.adapter.js';
import { STATUS } from './status.js';

class LogUnavailable extends Error {
  override name = 'LogUnavailable';
}

@Controller('v1')
class Things {
  @Get('subjects/:ref/consent')
  read(@Param('ref') ref: string) {
    return { ref };
  }
  @Post('consent')
  write(@Req() req: IncomingMessage) {
    return readJsonBody(req, { limitBytes: 100 });
  }
  @Head('only-head')
  only() {}
  @Get('throws/:what')
  throws(@Param('what') what: string, @CallerOf() _caller?: never) {
    throw (THROWN[what] ?? (() => 'a string'))();
  }
  @Get('refuses/:code')
  refuses(@Param('code') code: string) {
    throw refused(code as 'state_conflict', undefined, [{ path: 'a[0].b', message: 'is odd' }], { 'X-Extra': '1' });
  }
  @Get('html')
  html(@Req() req: IncomingMessage) {
    requireAcceptable(req.headers.accept);
    return {};
  }
}

const THROWN: Record<string, () => unknown> = {};

@Controller('v1/thrown')
class Thrower {
  @Get(':what')
  throws(@Param('what') what: string) {
    throw (THROWN[what] ?? (() => 'a string'))();
  }
}
Object.assign(THROWN, {
  database: () => new DependencyUnavailable('database', { cause: new Error('ECONNREFUSED db.internal:5432') }),
  log: () => new LogUnavailable('esdb.internal is away'),
  bug: () => new TypeError('SELECT * FROM secrets at host db.internal'),
  unknown: () => new Refused(refusal('no_such_code', 'x', 'y')),
});

@Module({ controllers: [Things, Thrower] })
class Root {}

const logged: object[] = [];
let app: NestExpressApplication;
let base: string;

beforeAll(async () => {
  app = await NestFactory.create<NestExpressApplication>(Root, new FastExpressAdapter('https://consent.example'), {
    logger: false,
    bodyParser: false,
  });
  app.useGlobalFilters(
    new ErrorFilter({
      publicUrl: 'https://consent.example',
      routes: () => [
        { method: 'GET', path: '/v1/subjects/{ref}/consent' },
        { method: 'POST', path: '/v1/consent' },
        { method: 'GET', path: '/v1/consent' },
      ],
      log: { error: (details) => void logged.push(details) },
    }),
  );
  await app.listen(0, '127.0.0.1');
  base = (await app.getUrl()).replace('[::1]', '127.0.0.1');
});
afterAll(() => app.close());

const get = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(base + path, init);
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: (text && JSON.parse(text)) as Record<string, unknown>,
  };
};

describe('an answer', () => {
  it('carries a request id, taken over where it is safe, and the constant headers', async () => {
    const own = await get('/v1/subjects/visitor_id%3Aa/consent');
    expect(own.body).toEqual({ ref: 'visitor_id:a' });
    expect(own.headers.get('x-request-id')).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(own.headers.get('x-content-type-options')).toBe('nosniff');
    expect(own.headers.get('referrer-policy')).toBe('no-referrer');
    expect(own.headers.get('cache-control')).toBe('no-store');
    expect(own.headers.get('x-powered-by')).toBeNull();
    expect(own.headers.get('etag')).toBeNull();
    expect(
      (await get('/v1/subjects/a/consent', { headers: { 'x-request-id': 'trace.1-2_3' } })).headers.get('x-request-id'),
    ).toBe('trace.1-2_3');
    expect(
      (await get('/v1/subjects/a/consent', { headers: { 'x-request-id': 'a b' } })).headers.get('x-request-id'),
    ).toMatch(/^req_/);
    expect(
      (await get('/v1/subjects/a/consent', { headers: { 'x-request-id': 'a'.repeat(65) } })).headers.get(
        'x-request-id',
      ),
    ).toMatch(/^req_/);
  });

  it('answers HEAD where GET works, without a body', async () => {
    const head = await get('/v1/subjects/a/consent', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('an error', () => {
  it('has one shape, with the status of its code', async () => {
    const { status, body, headers } = await get('/v1/refuses/state_conflict');
    expect(status).toBe(409);
    expect(Object.keys(body)).toEqual(['code', 'message', 'hint', 'issues', 'requestId', 'docUrl']);
    expect(body).toMatchObject({
      code: 'state_conflict',
      issues: [{ path: 'a[0].b', message: 'is odd' }],
      requestId: headers.get('x-request-id'),
      docUrl: 'https://consent.example/docs/errors/state_conflict',
    });
    expect(headers.get('x-extra')).toBe('1');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('has every code of the table, with its status and texts', async () => {
    expect(errorCatalogue.map((entry) => entry.code).sort()).toEqual(Object.keys(STATUS).sort());
    for (const { code, status } of errorCatalogue) expect((await get(`/v1/refuses/${code}`)).status).toBe(status);
  });

  it('is a problem document where that is preferred', async () => {
    for (const accept of [
      'application/problem+json',
      'application/problem+json, application/json',
      'application/json;q=0.5, application/problem+json',
    ]) {
      const { body, headers } = await get('/v1/refuses/state_conflict', { headers: { accept } });
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(body).toMatchObject({
        code: 'state_conflict',
        status: 409,
        type: 'https://consent.example/docs/errors/state_conflict',
        detail: body.message,
      });
      expect(typeof body.title).toBe('string');
    }
    for (const accept of [
      '*/*',
      'application/json',
      'application/json, application/problem+json',
      'application/problem+json;q=0.1, application/json',
      'application/problem+json;q=0',
    ]) {
      expect((await get('/v1/refuses/state_conflict', { headers: { accept } })).headers.get('content-type')).toBe(
        'application/json; charset=utf-8',
      );
    }
  });

  it('names the methods of a path that exists, and knows no other path', async () => {
    const wrong = await get('/v1/consent', { method: 'DELETE' });
    expect([wrong.status, wrong.body.code, wrong.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, POST',
    ]);
    expect((await get('/v1/subjects/x/consent', { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD');
    expect(await get('/v1/nope')).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    expect(await get('/')).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    expect(await get('/v1/Consent')).toMatchObject({ status: 404 });
  });

  it('explains odd percent-encoding', async () => {
    for (const ref of ['%', '%zz', '%FF', 'a%E0%A4%A'])
      expect(await get(`/v1/subjects/${ref}/consent`)).toMatchObject({
        status: 400,
        body: { code: 'subject_ref_invalid' },
      });
  });

  it('says that a dependency is away, and when to come back', async () => {
    for (const what of ['database', 'log']) {
      const { status, headers, text } = await get(`/v1/thrown/${what}`);
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(text).not.toMatch(/internal|ECONN/);
    }
  });

  it('keeps the cause of a bug to the log', async () => {
    logged.length = 0;
    for (const what of ['bug', 'string', 'unknown']) {
      const { status, body, text } = await get(`/v1/thrown/${what}`);
      expect([status, body.code]).toEqual([500, 'internal_error']);
      expect(text).not.toMatch(/SELECT|host|at \/|TypeError/);
    }
    expect(logged[0]).toMatchObject({ error: 'TypeError', requestId: expect.stringMatching(/^req_/) as string });
    expect(logged).toHaveLength(3);
    expect((await get('/v1/throws/x')).status).toBe(500);
  });

  it('asks for a key as HTTP wants it', async () => {
    expect((await get('/v1/refuses/api_key_missing')).headers.get('www-authenticate')).toBe('Bearer realm="assent"');
    expect((await get('/v1/refuses/identity_token_expired')).headers.get('www-authenticate')).toContain('Bearer');
  });

  it('is not_acceptable only where JSON is ruled out entirely', async () => {
    expect((await get('/v1/html', { headers: { accept: 'text/html' } })).body.code).toBe('not_acceptable');
    for (const accept of ['text/html, */*;q=0.1', 'application/*', 'application/problem+json', '*/*'])
      expect((await get('/v1/html', { headers: { accept } })).status).toBe(200);
    expect(quality('application/json;q=0, */*', 'application/json')).toBe(0);
  });

  it('answers a body that is too large', async () => {
    expect(
      await get('/v1/consent', {
        method: 'POST',
        body: JSON.stringify('x'.repeat(200)),
        headers: { 'content-type': 'application/json' },
      }),
    ).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    expect(
      await get('/v1/consent', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } }),
    ).toMatchObject({ status: 201, body: { a: 1 } });
  });

  it.each([
    ['nonsense', 'GARBAGE\r\n\r\n'],
    ['headers beyond the limit', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('answers %s with JSON, too', async (_, request) => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(request));
      socket
        .on('data', (chunk) => (text += chunk.toString()))
        .on('close', () => resolve(text))
        .on('error', () => undefined);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      code: 'malformed_json',
      issues: [],
      docUrl: 'https://consent.example/docs/errors/malformed_json',
    });
  });

  it('serves requests whose prototypes need no change', async () => {
    const adapter = app.getHttpAdapter().getInstance() as unknown as { request: object; response: object };
    const prototypes: unknown[] = [];
    app
      .getHttpServer()
      .once('request', (...both: [object, object]) => prototypes.push(...both.map(Object.getPrototypeOf)));
    await get('/v1/subjects/a/consent');
    expect(prototypes).toEqual([adapter.request, adapter.response]);
  });
});
