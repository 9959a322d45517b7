import { LRUCache } from 'lru-cache';

/** Different addresses that are remembered. */
const REMEMBERED_MAX = 1_000;
/** Longer addresses are read each time. */
const LENGTH_MAX = 100;

/**
 * What addresses ask, read once: the same few are asked again and again by every visitor, and reading a query takes longer
 * than answering it. `read` throws Refused where an address asks for nothing that there is; that is not remembered.
 */
export class Questions<Q extends object> {
  private readonly known = new LRUCache<string, Q>({ max: REMEMBERED_MAX });

  constructor(private readonly read: (url: string) => Q) {}

  at(url: string): Q {
    let question = this.known.get(url);
    if (!question) {
      question = this.read(url);
      if (url.length <= LENGTH_MAX) this.known.set(url, question);
    }
    return question;
  }
}
