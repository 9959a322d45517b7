import { LRUCache } from 'lru-cache';
import type { Instant } from '../../kernel/index.js';

/** Bounds how long another instance's news can stay unknown here where no cache is shared. */
const TTL_MS = 1_000;
const MOST_TAGS = 100_000;

/** Enough of a row to say "not modified" without reading it. */
export interface SubjectTag {
  revision: number;
  /** When the clock alone changes the answer, sorted. */
  turningPoints: readonly Instant[];
  /** The log position up to which this is known to hold. */
  through: bigint;
}

/** Injection token of the TagCache. */
export const TAG_CACHE = Symbol('TagCache');

/** ETags by subject id. A cache that is empty or down costs a row, never a wrong answer. */
export interface TagCache {
  find(subjectId: string): Promise<SubjectTag | null> | SubjectTag | null;
  /** Remembers; never puts an older revision over a newer one, and keeps the later position of two. */
  raise(subjectId: string, tag: SubjectTag): void;
  /** Their rows have changed, to at least the revisions that are known here: those can be raised again, older ones cannot. */
  drop(subjectIds: readonly string[]): void;
}

/** The tags of another read model about the same subjects, in the same cache. */
export class PrefixedTagCache implements TagCache {
  constructor(
    private readonly tags: TagCache,
    private readonly prefix: string,
  ) {}

  find(subjectId: string): Promise<SubjectTag | null> | SubjectTag | null {
    return this.tags.find(this.prefix + subjectId);
  }

  raise(subjectId: string, tag: SubjectTag): void {
    this.tags.raise(this.prefix + subjectId, tag);
  }

  drop(subjectIds: readonly string[]): void {
    this.tags.drop(subjectIds.map((subjectId) => this.prefix + subjectId));
  }
}

export class InProcessTagCache implements TagCache {
  private readonly tags = new LRUCache<string, { tag: SubjectTag; dropped: boolean }>({
    max: MOST_TAGS,
    ttl: TTL_MS,
    ttlResolution: 50,
  });

  find(subjectId: string): SubjectTag | null {
    const known = this.tags.get(subjectId);
    return known && !known.dropped ? known.tag : null;
  }

  raise(subjectId: string, tag: SubjectTag): void {
    const known = this.tags.peek(subjectId)?.tag;
    if (known && known.revision > tag.revision) return;
    this.tags.set(subjectId, {
      tag: known && known.through > tag.through ? { ...tag, through: known.through } : tag,
      dropped: false,
    });
  }

  drop(subjectIds: readonly string[]): void {
    for (const subjectId of subjectIds) {
      const known = this.tags.peek(subjectId);
      if (known) this.tags.set(subjectId, { ...known, dropped: true });
    }
  }
}
