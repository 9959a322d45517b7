import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { cameDirectly } from '../this-machine.js';

export interface OfferedKeys {
  publicKey: string;
  secretKey: string;
}

/**
 * The demo's keys, which the page that tries operations offers to a person at the machine of the demo. A page of another
 * site does not get them, whatever name it gave this machine (DNS rebinding), and neither does a caller behind a proxy.
 */
@Injectable()
export class DemoKeys {
  private offered: () => OfferedKeys | null = () => null;

  /** Only for keys that are worth nothing elsewhere, by a process that only its own machine reaches. Asked at each request. */
  offer(keys: () => OfferedKeys | null): void {
    this.offered = keys;
  }

  /** Null where nothing is offered, or not to this one. */
  for(request: IncomingMessage): OfferedKeys | null {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin') return null;
    return cameDirectly(request) ? this.offered() : null;
  }

  /** Of the page that shows the demo's banner: a public key stands in pages anyway, so any link may lead there. */
  publicKeyFor(request: IncomingMessage): string | null {
    return cameDirectly(request) ? (this.offered()?.publicKey ?? null) : null;
  }
}
