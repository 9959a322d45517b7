import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The address of a Unix socket holds 104 bytes on macOS and 108 on Linux, the closing zero included. */
const SOCKET_PATH_BYTES_MAX = 103;

const socketOf = (pgdata: string, port: number): string => join(pgdata, `.s.PGSQL.${port}`);

/** Whether a socket in the server's own folder can be reached by its path. */
export const socketFits = (pgdata: string, port: number): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(socketOf(pgdata, port)) <= SOCKET_PATH_BYTES_MAX;

/**
 * Address of a bundled server, the password included. Its Unix socket is preferred where it has one: a query costs a
 * fifth less processor time than over TCP. Host and port stay in the address for programs that know only TCP.
 */
export function addressOf(pgdata: string, port: number, password: string): string {
  const address = `postgres://assent:${password}@127.0.0.1:${port}/postgres?sslmode=disable`;
  const hasSocket = socketFits(pgdata, port) && existsSync(socketOf(pgdata, port));
  return hasSocket ? `${address}&host=${encodeURIComponent(pgdata)}` : address;
}

/** Both files of a socket that a server left behind. */
export const socketFiles = (pgdata: string, port: number): string[] => [
  socketOf(pgdata, port),
  `${socketOf(pgdata, port)}.lock`,
];
