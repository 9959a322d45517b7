import { hash } from 'node:crypto';
import type { BlockList, Socket } from 'node:net';
import type { Request } from 'express';
import { clientAddress, countedAddress, isTrusted } from './client-address.js';

/** The address that a call comes from. */
export class CallerAddress {
  private name: string | undefined;

  constructor(
    /** Null if the connection is gone, or a trusted proxy names no address. */
    readonly text: string | null,
    private readonly salt: string,
  ) {}

  /** A hash under which the limiter counts the address. The address itself is never a key. */
  get counted(): string {
    return (this.name ??= hash(
      'sha256',
      this.salt + (this.text === null ? '' : countedAddress(this.text)),
      'base64url',
    ));
  }
}

/** The other end of a connection. */
interface Peer {
  address: CallerAddress;
  isProxy: boolean;
}

/**
 * Finds the address of each call. It examines the other end of a connection (address, hash, whether it is a proxy) once
 * for all requests of the connection, since that took a thirtieth of a 304, and forgets it with the connection.
 */
export class CallerAddresses {
  private readonly peers = new WeakMap<Socket, Peer>();

  constructor(
    private readonly trusted: BlockList,
    private readonly salt: string,
  ) {}

  of({ socket, headers }: Pick<Request, 'socket' | 'headers'>): CallerAddress {
    const { address, isProxy } = this.peers.get(socket) ?? this.meet(socket);
    const forwardedFor = headers['x-forwarded-for'] as string | undefined;
    if (!isProxy || forwardedFor === undefined) return address;
    return new CallerAddress(clientAddress(address.text ?? '', forwardedFor, this.trusted), this.salt);
  }

  private meet(socket: Socket): Peer {
    const text = clientAddress(socket.remoteAddress, undefined, this.trusted);
    const peer = {
      address: new CallerAddress(text, this.salt),
      isProxy: text !== null && isTrusted(text, this.trusted),
    };
    // The system knows no address of a connection that has ended: do not remember that.
    if (text !== null) this.peers.set(socket, peer);
    return peer;
  }
}
