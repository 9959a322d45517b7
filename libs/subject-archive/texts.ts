import { noticeOf, type CatalogueState, type Notice } from '../catalogue/index.js';
import type { SubjectTimeline } from '../context/subject-timeline.js';
import { Refused, refusal, type DomainEvent } from '../kernel/index.js';

/** The words that records name, each once. */
export class Texts {
  private readonly wanted = new Set<string>();

  constructor(
    private readonly catalogue: CatalogueState,
    private readonly timeline: Pick<SubjectTimeline, 'textsOf'>,
  ) {}

  /** Of an event that cannot be read nothing is known. */
  note(event: DomainEvent | null): void {
    for (const hash of this.timeline.textsOf(event)) this.wanted.add(hash);
  }

  /** Null where nothing with that hash was ever published. */
  find(hash: string): Notice | null {
    return noticeOf(this.catalogue, hash);
  }

  /** Refuses where nothing with that hash was ever published: a record then names what cannot be shown. */
  of(hash: string): Notice {
    const notice = this.find(hash);
    if (notice) return notice;
    throw new Refused(
      refusal(
        'text_missing',
        `A record names a text that was never published: ${hash}.`,
        'Bring back the log in which it was published.',
      ),
    );
  }

  get size(): number {
    return this.wanted.size;
  }

  /** Hashes in their order. */
  all(): string[] {
    return [...this.wanted].sort();
  }
}
