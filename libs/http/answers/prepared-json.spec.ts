import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Request, Response } from 'express';
import { PreparedJson } from './prepared-json.js';

const VALUE = { ascii: 'plain', beyond: 'Straße — 日本 🍪', list: [1, null, true] };

describe('a large prepared answer', () => {
  const json = JSON.stringify({ texts: new Array(2_000).fill(VALUE.beyond) });
  const body = new PreparedJson(Buffer.from(json));
  let server: Server;
  beforeAll(async () => {
    server = createServer((req, res) => {
      res.setHeader('Vary', 'Authorization');
      body.answer(req as Request, res as Response, 'W/"1"');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const ask = (accepted: string, init: RequestInit = {}): Promise<globalThis.Response> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      ...init,
      headers: { 'Accept-Encoding': accepted, ...init.headers },
    });

  it('is compressed for who takes it, and the same to the byte', async () => {
    for (const accepted of ['gzip', 'identity', 'gzip, br']) {
      const { headers, ...answer } = await ask(accepted).then(async (one) => ({
        headers: one.headers,
        text: await one.text(),
      }));
      const isPacked = accepted.includes('gzip');
      expect([accepted, headers.get('content-encoding')]).toEqual([accepted, isPacked ? 'gzip' : null]);
      expect(headers.get('vary')).toBe('Authorization, Accept-Encoding');
      expect(Number(headers.get('content-length')) < Buffer.byteLength(json)).toBe(isPacked);
      expect(answer.text === json).toBe(true);
    }
  });

  it('says what it depends on also where it is not sent', async () => {
    const known = await ask('gzip', { headers: { 'If-None-Match': 'W/"1"' } });
    expect([known.status, known.headers.get('vary'), known.headers.get('content-encoding')]).toEqual([
      304,
      'Authorization, Accept-Encoding',
      null,
    ]);
    const head = await ask('gzip', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-encoding'), await head.text()]).toEqual([200, 'gzip', '']);
  });
});

describe('a prepared answer', () => {
  const body = new PreparedJson(Buffer.from(JSON.stringify(VALUE)));
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((req, res) => body.answer(req as Request, res as Response, 'W/"1"'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('is the same JSON to the byte, of every alphabet, as often as it is asked for', async () => {
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(url);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.toString('utf8')).toBe(JSON.stringify(VALUE));
      expect(answer.headers.get('content-length')).toBe(String(bytes.length));
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('is not sent to who has it, nor to who asks for headers only', async () => {
    const known = await fetch(url, { headers: { 'If-None-Match': '"0", W/"1"' } });
    expect([known.status, await known.text(), known.headers.get('content-type')]).toEqual([304, '', null]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(body.length));
  });

  it('is refused to every one of many who have it and ask at the same time', async () => {
    const asked = Array.from({ length: 50 }, () => fetch(url, { headers: { 'If-None-Match': 'W/"1"' } }));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([304]));
  });

  it('is answered in turn on one connection, to who has it and to who has not', async () => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    const request = (tag: string, connection: string): string =>
      `GET / HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${tag}\r\nConnection: ${connection}\r\n\r\n`;
    const tags = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? '"0"' : '"1"'));
    socket.end(tags.map((tag, i) => request(tag, i < tags.length - 1 ? 'keep-alive' : 'close')).join(''));
    const answers = (await text(socket)).match(/HTTP\/1\.1 \d+/g);
    expect(answers).toEqual(tags.map((tag) => `HTTP/1.1 ${tag === '"1"' ? 304 : 200}`));
  });
});
