import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { cameDirectly } from '../this-machine.js';

export interface OfferedKeys {
  publicKey: string;
  secretKey: string;
}

/**
 * The demo's keys, which the page that tries operations offers to whoever sits at the machine of the demo. Nobody else gets
 * them: not a page of another site, whatever name it gave this machine (DNS rebinding), and nobody behind a proxy.
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
}
