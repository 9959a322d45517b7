import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { cameDirectly } from '../../http/this-machine.js';

/** Id of the operator who looks around in the demo without a token. */
export const DEMO_OPERATOR = 'opr_demo';

/** The site in which a person at the machine of the demo may look around without a token. */
@Injectable()
export class DemoSite {
  private offered: string | null = null;

  /** Only by a process that only its own machine reaches. */
  offer(site: string): void {
    this.offered = site;
  }

  /** Null where no site is offered, or not to this caller. */
  for(request: IncomingMessage): string | null {
    return cameDirectly(request) ? this.offered : null;
  }
}
