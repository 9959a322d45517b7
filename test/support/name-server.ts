import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface NameServer {
  /** `127.0.0.1:53` */
  address: string;
  /** The questions that were asked: `A hooks.example`. */
  asked: string[];
  /** The addresses of a name, for one question after the other, the last for ever. Other names do not exist. */
  says(name: string, ...addresses: string[][]): void;
  /** Questions of these types are not answered. */
  silentAbout(name: string, ...types: string[]): void;
  stop(): Promise<void>;
}

const TYPES: Record<number, { name: string; kind: 'ipv4' | 'ipv6' }> = {
  1: { name: 'A', kind: 'ipv4' },
  28: { name: 'AAAA', kind: 'ipv6' },
};
const HEADER_BYTES = 12;
/** An answer, and that recursion is available. */
const FLAGS = 0x8180;
const NO_SUCH_NAME = 3;

/** Answers questions for addresses over UDP (RFC 1035), each to be forgotten at once. */
export async function startNameServer(): Promise<NameServer> {
  const said = new Map<string, string[][]>();
  const silent = new Set<string>();
  const asked: string[] = [];
  /** For each question, how often it was asked. */
  const turns = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionOf(message);
    const question = `${TYPES[type]?.name} ${name}`;
    asked.push(question);
    if (silent.has(question)) return;
    const says = said.get(name);
    const turn = turns.get(question) ?? 0;
    turns.set(question, turn + 1);
    const addresses = (says?.[Math.min(turn, says.length - 1)] ?? [])
      .map((text) => ipaddr.parse(text))
      .filter((each) => each.kind() === TYPES[type]?.kind);
    const header = Buffer.alloc(HEADER_BYTES);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(says ? FLAGS : FLAGS | NO_SUCH_NAME, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((each) => {
      const bytes = Buffer.from(each.toByteArray());
      // The name of the question, its type, class IN, no time to live.
      return Buffer.concat([Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]), bytes]);
    });
    socket.send(Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    says: (name, ...addresses) => void said.set(name, addresses),
    silentAbout: (name, ...types) => types.forEach((type) => silent.add(`${type} ${name}`)),
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** The first question of a message, and where it ends. */
function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}
