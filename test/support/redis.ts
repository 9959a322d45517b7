import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensure } from './debian.mjs';
import { freePort } from './free-port.js';
import { keep } from './keeper.mjs';

const ANSWERS_WITHIN_MS = 60_000;

export interface RedisServer {
  /** `redis://127.0.0.1:port/0` */
  url: string;
  port: number;
  /** Sends one command, as redis-cli does, and answers the reply, a list as lines. Rejects where it is an error. */
  command(...words: string[]): Promise<string>;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Starts again what was killed, empty, on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A real Redis of its own: the program that `REDIS_SERVER` names, else from PATH, else installed. In memory only.
 * `settings`: more of its settings, as on its command line.
 */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const program = process.env['REDIS_SERVER'] ?? (await ensure('redis-server'));
  const folder = mkdtempSync(join(tmpdir(), 'assent-redis-'));
  const keeper = keep(folder);
  const port = await freePort();
  let running: { child: ChildProcess; ended: Promise<void> } | null = null;

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!running) return;
    const { child, ended } = running;
    running = null;
    child.kill(signal);
    await ended;
    keeper.watch(null);
  };
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}/0`,
    port,
    command: (...words) => command(port, words),
    signal: (name) => void running?.child.kill(name),
    kill: () => end('SIGKILL'),
    start: async () => {
      const child = spawn(
        program,
        [
          '--port',
          String(port),
          '--bind',
          '127.0.0.1',
          '--dir',
          folder,
          '--save',
          '',
          '--appendonly',
          'no',
          '--daemonize',
          'no',
          '--loglevel',
          'warning',
          ...settings,
        ],
        { cwd: folder, stdio: 'ignore' },
      );
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
      keeper.watch(child.pid ?? null);
      running = { child, ended };
      for (const deadline = Date.now() + ANSWERS_WITHIN_MS; ; await pause(10)) {
        if ((await command(port, ['PING']).catch(() => '')) === 'PONG') return;
        if (child.exitCode !== null || child.pid === undefined || Date.now() > deadline)
          throw new Error(`${program} does not answer on port ${port}`);
      }
    },
    stop: async () => {
      // A stopped process would not hear anything else.
      await end('SIGKILL');
      await keeper.clean();
    },
  };
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export interface SlowWire {
  url: string;
  /** Every byte towards Redis waits this long; Infinity: it never arrives, and nobody is told. */
  delayMs: number;
  stop(): Promise<void>;
}

/** A wire to a Redis that can be made slow, or swallow everything. */
export async function slowWire(to: number): Promise<SlowWire> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((from) => {
    const onward = connect(to, '127.0.0.1');
    for (const socket of [from, onward]) {
      sockets.add(socket);
      socket
        .setNoDelay(true)
        .on('error', () => undefined)
        .on('close', () => (sockets.delete(socket), from.destroy(), onward.destroy()));
    }
    let swallowed = false;
    from.on('data', (chunk) => {
      // What was lost stays lost: bytes after a gap would be another message.
      swallowed ||= wire.delayMs === Infinity;
      if (!swallowed) setTimeout(() => onward.write(chunk), wire.delayMs);
    });
    onward.on('data', (chunk) => swallowed || from.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const wire: SlowWire = {
    url: `redis://127.0.0.1:${port}/0`,
    delayMs: 0,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return wire;
}

/** One command on a connection of its own. A list is answered as lines. */
function command(port: number, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    const settle = (how: () => void): void => {
      socket.destroy();
      how();
    };
    // One byte is one character, so that lengths count.
    socket.setEncoding('latin1').setTimeout(ANSWERS_WITHIN_MS, () => settle(() => reject(new Error('no answer'))));
    socket.on('error', reject).on('close', () => reject(new Error('closed without an answer')));
    socket.on('data', (chunk: string) => {
      text += chunk;
      const reply = replyAt(text, 0);
      if (reply) settle(() => (text.startsWith('-') ? reject(new Error(reply.value)) : resolve(reply.value)));
    });
    socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
  });
}

/** A reply of RESP 2 that begins there, and where it ends; null as long as it is not complete. */
function replyAt(text: string, from: number): { value: string; end: number } | null {
  const head = text.indexOf('\r\n', from);
  if (head === -1) return null;
  const [kind, first] = [text[from], text.slice(from + 1, head)];
  const length = Number(first);
  if (kind === '$') {
    const end = length < 0 ? head + 2 : head + length + 4;
    return text.length < end ? null : { value: text.slice(head + 2, Math.max(head + 2, end - 2)), end };
  }
  if (kind !== '*') return { value: first, end: head + 2 };
  const values: string[] = [];
  let end = head + 2;
  for (let i = 0; i < length; i++) {
    const item = replyAt(text, end);
    if (!item) return null;
    values.push(item.value);
    ({ end } = item);
  }
  return { value: values.join('\n'), end };
}
