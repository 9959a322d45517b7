import { LRUCache } from 'lru-cache';

/** Most addresses that are remembered. */
const REMEMBERED_MAX = 1_000;
/** Longest address that is remembered, in characters. */
const LENGTH_MAX = 100;

/**
 * Remembers the parsed queries of addresses. Every visitor asks for the same few, and parsing a query takes longer than
 * answering it. `read` throws Refused for a bad query, which is not remembered.
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
