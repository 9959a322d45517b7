import { LRUCache } from 'lru-cache';
import type { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { contentStream, type VendorListKept } from './events.js';
import type { GlobalVendorList, GvlTexts } from './gvl.js';
import { unpacked } from './packed.js';
import { digestOf } from './read-list.js';

/** Lists in memory: the one in use, and some old ones for strings made with them. One of 1,100 vendors takes 4 MB. */
const LISTS_MAX = 6;

/** Contents of lists and translations, by their digests. Each is read once; the most recently used stay in memory. */
export class KeptContents {
  private readonly known = new LRUCache<string, Promise<unknown>>({ max: LISTS_MAX });

  constructor(
    private readonly log: EventLog,
    private readonly codec: Codec,
  ) {}

  list(digest: string): Promise<GlobalVendorList> {
    return this.content(digest) as Promise<GlobalVendorList>;
  }

  texts(digest: string): Promise<GvlTexts> {
    return this.content(digest) as Promise<GvlTexts>;
  }

  /** Rejects with LogUnavailable, and with an Error if the stored content does not match its digest. */
  private content(digest: string): Promise<unknown> {
    let content = this.known.get(digest);
    if (!content) {
      content = this.read(digest);
      this.known.set(digest, content);
      content.catch(() => this.known.delete(digest));
    }
    return content;
  }

  private async read(digest: string): Promise<unknown> {
    const [event] = await this.log.read(contentStream(digest), { direction: 'forwards', limit: 1 });
    if (!event) throw new Error(`the log has no vendor list with the digest ${digest}`);
    const content = unpacked(this.codec.decode<VendorListKept>(event).data.content);
    if (digestOf(content) !== digest) throw new Error(`the vendor list ${digest} is not what it was`);
    return content;
  }
}
