import { LRUCache } from 'lru-cache';
import type { Instant } from '../../kernel/index.js';

/** How long an instance may answer an outdated tag where instances share no cache. */
const TTL_MS = 1_000;
/** Some 4 MB. More tags than that would expire before they are read. */
const MOST_TAGS = 10_000;

/** What answers "not modified" without reading the row. */
export interface SubjectTag {
  revision: number;
  /** Times at which the answer changes without an event, sorted. */
  turningPoints: readonly Instant[];
  /** The log position up to which this is known to hold. */
  through: bigint;
}

/** A tag as engines keep it: turning points are what one version of a view made of a row. */
export interface TagOfView extends SubjectTag {
  view: number;
}

/** Injection token of the TagCache. */
export const TAG_CACHE = Symbol('TagCache');

/** ETags by subject id. A cache that is empty or down costs a row, never a wrong answer. */
export interface TagCache<T extends SubjectTag = SubjectTag> {
  find(subjectId: string): Promise<T | null> | T | null;
  /** Keeps a tag. A newer revision that is there stays, and so does a later position. */
  raise(subjectId: string, tag: T): void;
  /** The rows of these subjects have changed. Later `raise` takes the revisions that are known here, or newer ones. */
  drop(subjectIds: readonly string[]): void;
}

/**
 * The tags of one view, in a cache that several views and releases share. Releases that run side by side raise the same
 * entries, so that each learns of changes that the other projected. A release uses only the turning points that its own
 * version of the view made.
 */
export class TagsOfView implements TagCache {
  constructor(
    private readonly tags: TagCache<TagOfView>,
    private readonly prefix: string,
    private readonly version: number,
  ) {}

  find(subjectId: string): Promise<SubjectTag | null> | SubjectTag | null {
    const found = this.tags.find(this.prefix + subjectId);
    return found instanceof Promise ? found.then((tag) => this.ofThisView(tag)) : this.ofThisView(found);
  }

  raise(subjectId: string, tag: SubjectTag): void {
    this.tags.raise(this.prefix + subjectId, { view: this.version, ...tag });
  }

  drop(subjectIds: readonly string[]): void {
    this.tags.drop(subjectIds.map((subjectId) => this.prefix + subjectId));
  }

  private ofThisView(tag: TagOfView | null): SubjectTag | null {
    if (tag?.view !== this.version) return null;
    const { revision, turningPoints, through } = tag;
    return { revision, turningPoints, through };
  }
}

export class InProcessTagCache implements TagCache<TagOfView> {
  private readonly tags: LRUCache<string, { tag: TagOfView; dropped: boolean }>;

  /** @param mostTags their memory is taken at the start */
  constructor(mostTags = MOST_TAGS) {
    this.tags = new LRUCache({ max: mostTags, ttl: TTL_MS, ttlResolution: 50 });
  }

  find(subjectId: string): TagOfView | null {
    const known = this.tags.get(subjectId);
    return known && !known.dropped ? known.tag : null;
  }

  raise(subjectId: string, tag: TagOfView): void {
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
