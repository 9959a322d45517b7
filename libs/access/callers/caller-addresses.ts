import { hash } from 'node:crypto';
import type { BlockList, Socket } from 'node:net';
import type { Request } from 'express';
import { clientAddress, countedAddress, isTrusted } from './client-address.js';

/** Where a call comes from. */
export class CallerAddress {
  private name: string | undefined;

  constructor(
    /** Null where the connection is gone, or a trusted proxy does not say. */
    readonly text: string | null,
    private readonly salt: string,
  ) {}

  /** What it is counted by: a hash, never the address as it is. */
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
 * Tells where calls come from. The other end of a connection is looked at once for all of its requests: address, hash and
 * whether it is a proxy were a thirtieth of a 304. It is forgotten with the connection.
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
    // Of a connection that has ended the system tells nothing any more; nothing is learned from that.
    if (text !== null) this.peers.set(socket, peer);
    return peer;
  }
}
