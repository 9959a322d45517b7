import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { settlesWithin } from '../../../../test/support/timing.js';
import { Outbound } from '../../../engines/outbound/outbound.js';
import { LIST_BYTES_MAX } from '../read-list.js';
import { UpstreamSource, type Upstream } from './upstream-source.js';
import type { Looked, Validators } from './sources.js';

const LIST = Buffer.from(JSON.stringify({ vendorListVersion: 178, of: 'a'.repeat(1_000) }));
const KNOWN: Validators = { etag: '"178"', lastModified: 'Thu, 19 Nov 2026 16:00:00 GMT' };
const NONE: Validators = { etag: null, lastModified: null };
const CACHED = { 'Cache-Control': 'max-age=3600', ETag: '"178"', 'Last-Modified': KNOWN.lastModified! };
const BOMB = gzipSync(Buffer.alloc(LIST_BYTES_MAX + 1));

/** How the server answers, by path. */
const WAYS: Record<string, (answer: ServerResponse, socket: Socket) => void> = {
  '/plain': (answer) => void answer.writeHead(200, CACHED).end(LIST),
  '/gzip': (answer) => void answer.writeHead(200, { ...CACHED, 'Content-Encoding': 'gzip' }).end(gzipSync(LIST)),
  '/br': (answer) => void answer.writeHead(200, { ...CACHED, 'Content-Encoding': 'BR' }).end(brotliCompressSync(LIST)),
  '/bare': (answer) => void answer.writeHead(200).end(LIST),
  '/304': (answer) => void answer.writeHead(304, { 'Cache-Control': 'max-age=7200' }).end(),
  '/304-renamed': (answer) => void answer.writeHead(304, { ETag: '"b"' }).end(),
  '/404': (answer) => void answer.writeHead(404).end('none'),
  '/301': (answer) => void answer.writeHead(301, { Location: '/plain' }).end(),
  '/500': (answer) => void answer.writeHead(500).end('out of order'),
  '/503': (answer) => void answer.writeHead(503, { 'Retry-After': '600' }).end(),
  '/206': (answer) => void answer.writeHead(206).end(LIST.subarray(0, 10)),
  '/bomb': (answer) => void answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(BOMB),
  '/not-gzip': (answer) => void answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(LIST),
  '/half-gzip': (answer) =>
    void answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(LIST).subarray(0, 30)),
  '/deflate': (answer) => void answer.writeHead(200, { 'Content-Encoding': 'deflate' }).end(LIST),
  '/endless': (answer) => {
    answer.writeHead(200);
    const more = (): void => {
      while (!answer.destroyed && answer.write(Buffer.alloc(65_536, ' ')));
    };
    answer.on('drain', more);
    more();
  },
  '/hangs': () => undefined,
  '/drips': (answer) => void answer.writeHead(200).write('{'),
  '/resets': (_, socket) => void socket.resetAndDestroy(),
  '/breaks-off': (answer, socket) => {
    answer.writeHead(200, { 'Content-Length': 1_000 }).write('{', () => socket.resetAndDestroy());
  },
  '/not-http': (_, socket) => void socket.end('hello\r\n\r\n'),
};

const asked: { path: string; headers: IncomingHttpHeaders }[] = [];
const server = createServer((request, answer) => {
  asked.push({ path: request.url!, headers: request.headers });
  (WAYS[request.url!] ?? WAYS['/404']!)(answer, request.socket);
});
let url: string;
let upstream: Upstream;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  upstream = {
    outbound: new Outbound({
      resolve: () => Promise.resolve(['127.0.0.1']),
      totalMs: 2_000,
      readBytes: LIST_BYTES_MAX,
      keptBytes: LIST_BYTES_MAX + 1,
    }),
    isAllowed: () => true,
    nowMs: () => Date.parse('2026-11-23T12:00:00Z'),
  };
});
afterAll(async () => {
  upstream.outbound.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const look = (path: string, known = NONE): Promise<Looked> => new UpstreamSource(`${url}${path}`, upstream).look(known);

describe('an upstream', () => {
  it.each(['/plain', '/gzip', '/br'])('that has a list: %s', async (path) => {
    expect(await look(path)).toEqual({ outcome: 'FOUND', bytes: LIST, freshS: 3_600, validators: KNOWN });
    expect(asked.at(-1)!.headers).toMatchObject({ accept: 'application/json', 'accept-encoding': 'br, gzip' });
    expect(asked.at(-1)!.headers).not.toHaveProperty('if-none-match');
  });

  it('that says nothing about caches is asked again after a day', async () => {
    expect(await look('/bare')).toMatchObject({ outcome: 'FOUND', freshS: 86_400, validators: NONE });
  });

  it('is asked whether the list is still the one that is known', async () => {
    expect(await look('/304', KNOWN)).toEqual({ outcome: 'UNCHANGED', freshS: 7_200, validators: KNOWN });
    expect(asked.at(-1)!.headers).toMatchObject({
      'if-none-match': KNOWN.etag,
      'if-modified-since': KNOWN.lastModified,
    });
    expect(await look('/304-renamed', KNOWN)).toMatchObject({ validators: { ...KNOWN, etag: '"b"' } });
  });

  it('has translations beside the list', async () => {
    const source = UpstreamSource.translation(`${url}/v3/vendor-list.json`, 'pt-BR', upstream);
    expect(await source.look(NONE)).toEqual({ outcome: 'NONE', freshS: 86_400 });
    expect(asked.at(-1)!.path).toBe('/v3/purposes-pt-br.json');
  });

  it('at an address that nothing may be sent to is not asked', async () => {
    const before = asked.length;
    const forbidden = new UpstreamSource(`${url}/plain`, { ...upstream, isAllowed: () => false });
    expect(await forbidden.look(NONE)).toMatchObject({ outcome: 'FAILED', reason: 'address_not_allowed' });
    expect(asked).toHaveLength(before);
  });
});

describe('an upstream that misbehaves', () => {
  const FAULTS: [path: string, reason: string][] = [
    ['/301', 'status_301'],
    ['/500', 'status_500'],
    ['/503', 'status_503'],
    ['/206', 'status_206'],
    ['/bomb', 'too_large'],
    ['/endless', 'too_large'],
    ['/not-gzip', 'bad_encoding'],
    ['/half-gzip', 'bad_encoding'],
    ['/deflate', 'bad_encoding'],
    ['/hangs', 'timed_out'],
    ['/drips', 'timed_out'],
    ['/resets', 'connection_lost'],
    ['/breaks-off', 'connection_lost'],
    ['/not-http', 'not_http'],
  ];

  it('is given up in time, with a reason', async () => {
    const all = Promise.all(FAULTS.map(async ([path]) => [path, await look(path)] as const));
    expect(await settlesWithin(60_000, all)).toBe(true);
    const found = (await all).map(([path, looked]) => [path, looked.outcome === 'FAILED' ? looked.reason : looked]);
    expect(found).toEqual(FAULTS);
  });

  it('is left alone for as long as it asks for', async () => {
    expect(await look('/503')).toMatchObject({ retryAfterS: 600 });
    expect(await look('/500')).toMatchObject({ retryAfterS: null });
  });
});
