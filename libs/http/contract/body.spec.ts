import { gzipSync } from 'node:zlib';
import { connect, type AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import type { Refused } from '../../kernel/index.js';
import { isForm, parseJson, readFormBody, readJsonBody, readOptionalJsonBody } from './body.js';
import { scanJson } from './json-scan.js';
import { statusOf, type ErrorCode } from '../errors/status.js';
import { processorMs } from '../../../test/support/timing.js';

let server: Server;
let base: string;

beforeAll(async () => {
  // A slow machine takes seconds for one test here: no connection may be closed just as the next one uses it.
  server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
    const tooLarge = req.url === '/batch' ? 'batch_too_large' : 'body_too_large';
    const read =
      req.url === '/form' && isForm(req) ? readFormBody : req.url === '/optional' ? readOptionalJsonBody : readJsonBody;
    read(req, { limitBytes: 65_536, tooLarge, timeoutMs: 300 }).then(
      (body) => res.end(JSON.stringify({ body })),
      (error: Refused) => {
        res.statusCode = statusOf(error.refusal.code as ErrorCode);
        for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
        res.end(JSON.stringify(error.refusal));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const post = async (body: string | Uint8Array, headers: Record<string, string> = {}, path = '/') => {
  const answer = await fetch(base + path, {
    method: 'POST',
    body: body as string,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: answer.status, ...((await answer.json()) as { code?: string; hint?: string; body?: unknown }) };
};

describe('a JSON body', () => {
  it('is read in UTF-8, with or without a charset', async () => {
    expect(await post('{"a":"é👩"}')).toEqual({ status: 200, body: { a: 'é👩' } });
    expect((await post('{}', { 'content-type': 'Application/JSON; charset="UTF-8"' })).status).toBe(200);
    expect((await post('{}', { 'content-encoding': 'identity' })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
    'application/json, text/plain',
    '',
  ])('is refused as %p', async (type) => {
    expect(await post('{}', { 'content-type': type })).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it('that may be left out is none where it is empty, with a type, without one, or in no chunk', async () => {
    const none = { status: 200 };
    expect(await post('', {}, '/optional')).toEqual(none);
    for (const type of ['', 'text/plain']) expect(await post('', { 'content-type': type }, '/optional')).toEqual(none);
    const send = async (text: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
      const body = new ReadableStream({
        start: (controller) => {
          if (text !== '') controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      });
      const answer = await fetch(`${base}/optional`, { method: 'POST', body, duplex: 'half', headers } as RequestInit);
      return [answer.status, await answer.text()];
    };
    expect(await send('')).toEqual([200, '{}']);
    expect(await send('{}', { 'content-type': 'application/json' })).toEqual([200, '{"body":{}}']);
    expect((await send('{}'))[0]).toBe(415);
    expect(await post('{"a":1}', {}, '/optional')).toEqual({ status: 200, body: { a: 1 } });
    expect(await post(' ', {}, '/optional')).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(await post('{}', { 'content-type': 'text/plain' }, '/optional')).toMatchObject({ status: 415 });
  });

  it('is refused compressed', async () => {
    expect(await post(gzipSync('{}'), { 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    });
  });

  it('is refused beyond its limit, announced or streamed, and the connection lives on', async () => {
    const big = JSON.stringify({ a: 'x'.repeat(70_000) });
    expect(await post(big)).toMatchObject({ status: 413, code: 'body_too_large' });
    expect(await post(big, {}, '/batch')).toMatchObject({ status: 413, code: 'batch_too_large' });
    const stream = new ReadableStream({
      start: (controller) => {
        for (let i = 0; i < 40; i++) controller.enqueue(new TextEncoder().encode('x'.repeat(50_000)));
        controller.close();
      },
    });
    const answer = await fetch(base, {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect((await post('{}')).status).toBe(200);
    expect((await post(`"${'x'.repeat(65_534)}"`)).status).toBe(200);
    expect((await post(`"${'x'.repeat(65_535)}"`)).status).toBe(413);
  });

  it('is given up when it does not arrive in time', async () => {
    const { port } = server.address() as AddressInfo;
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":',
        ),
      );
      socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('did not arrive within 0.3 seconds');
  });

  it.each<[string | Uint8Array, string]>([
    ['', 'empty'],
    ['  \n', 'empty'],
    ['{"a":1', 'comma'],
    ['{"a":1,}', 'double quotes'],
    ['[1,]', 'value is expected'],
    ['{a:1}', 'double quotes'],
    ["{'a':1}", 'double quotes'],
    ['{"a":1}x', 'after the end'],
    ['{"a":01}', 'comma'],
    ['{"a":1e400}', 'too large'],
    ['NaN', 'value'],
    ['Infinity', 'value'],
    ['-', 'value'],
    ['{"a":1,"a":2}', 'twice'],
    ['{"a":1,"\\u0061":2}', 'twice'],
    ['"\\x"', 'escape'],
    ['"\\u12g4"', 'escape'],
    ['"a\nb"', 'control'],
    ['"abc', 'not closed'],
    ['"\\', 'not closed'],
    [Uint8Array.of(0x22, 0xff, 0x22), 'UTF-8'],
    [Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'UTF-8'],
  ])('is refused as malformed: %p', async (text, why) => {
    const answer = await post(text);
    expect(answer).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(answer.hint).toContain(why);
  });

  it('says where reading stopped', async () => {
    expect((await post('{\n  "a": tru\n}')).hint).toContain('position 9 (line 2, column 8)');
  });

  it('is refused when nested a hundred thousand deep, at hardly any cost', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(
      processorMs(() => expect(scanJson(deep)).toEqual({ at: 10, reason: 'it is nested deeper than 10 levels' })),
    ).toBeLessThan(100);
    expect(scanJson('['.repeat(10) + ']'.repeat(10))).toBeNull();
  });

  it('keeps __proto__ as a plain key that pollutes nothing', async () => {
    const body = parseJson(Buffer.from('{"__proto__":{"admin":true}}')) as object;
    expect(Object.keys(body)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('is taken or refused exactly as JSON.parse would, apart from depth, doubles and duplicates', () => {
    const signs = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-0',
      '1.5e3',
      '01',
      'true',
      'null',
      ' ',
      '"\\n"',
      '"',
      '\\',
    ];
    let seed = 7;
    const next = (): number => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
    for (let run = 0; run < 20_000; run++) {
      const text = Array.from(
        { length: 1 + Math.floor(next() * 9) },
        () => signs[Math.floor(next() * signs.length)],
      ).join('');
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      const fault = scanJson(text);
      if (fault?.reason !== 'a key occurs twice in one object')
        expect({ text, taken: fault === null }).toEqual({ text, taken: parses });
    }
  });
});

describe('a posted form', () => {
  const type = (text: string) => ({ 'content-type': text });
  const URLENCODED = type('application/x-www-form-urlencoded');

  it('is read in both encodings, and JSON beside it', async () => {
    expect(await post('token=cft_a-b&x=%C3%A9+1', URLENCODED, '/form')).toEqual({
      status: 200,
      body: { token: 'cft_a-b', x: 'é 1' },
    });
    const multipart = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    expect(await post(multipart, type('multipart/form-data; boundary=b'), '/form')).toEqual({
      status: 200,
      body: { 'List-Unsubscribe': 'One-Click' },
    });
    expect(await post('{"a":1}', {}, '/form')).toEqual({ status: 200, body: { a: 1 } });
  });

  it('keeps names such as __proto__ as plain fields', async () =>
    expect((await post('__proto__=1', URLENCODED, '/form')).body).toEqual(JSON.parse('{"__proto__":"1"}')));

  it.each([
    ['a field twice', 'a=1&a=2', 'application/x-www-form-urlencoded'],
    [
      'a file',
      '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\n1\r\n--b--\r\n',
      'multipart/form-data; boundary=b',
    ],
    ['no boundary', 'a=1', 'multipart/form-data'],
    [
      'a form that ends early',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
      'multipart/form-data; boundary=b',
    ],
  ])('is refused with %s', async (_, body, content) =>
    expect(await post(body, type(content), '/form')).toMatchObject({ status: 400, code: 'malformed_json' }),
  );

  it('is refused compressed, too large, and where none is expected', async () => {
    expect((await post('a=1', { ...URLENCODED, 'content-encoding': 'gzip' }, '/form')).code).toBe(
      'unsupported_media_type',
    );
    expect((await post(`a=${'x'.repeat(70_000)}`, URLENCODED, '/form')).code).toBe('body_too_large');
    expect((await post('a=1', URLENCODED)).code).toBe('unsupported_media_type');
    expect((await post('a=1', type('text/plain'), '/form')).code).toBe('unsupported_media_type');
  });
});
