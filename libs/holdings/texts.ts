import { noticeOf, type CatalogueState, type Notice } from '../catalogue/index.js';
import type { ConsentRecordedData } from '../consent/index.js';
import { Refused, refusal } from '../kernel/index.js';
import type { PreferenceConfirmationRequestedData, PreferenceSetData } from '../preferences/index.js';

/** Hashes of all the words that an event says were shown. */
export function textsNamedBy(type: string, data: unknown): string[] {
  switch (type) {
    case 'ConsentRecorded': {
      const { notice, presentation } = data as ConsentRecordedData;
      return [notice.contentHash, ...(presentation ? shown(presentation) : [])];
    }
    case 'PreferenceSet': {
      const { template, presentation } = data as PreferenceSetData;
      return [...(template.version === 0 ? [] : [template.contentHash]), ...(presentation ? shown(presentation) : [])];
    }
    case 'PreferenceConfirmationRequested': {
      const { template } = data as PreferenceConfirmationRequestedData;
      return template.version === 0 ? [] : [template.contentHash];
    }
    default:
      return [];
  }
}

const shown = ({ banner, purposes }: NonNullable<ConsentRecordedData['presentation']>): string[] => [
  banner.contentHash,
  ...purposes.map(({ contentHash }) => contentHash),
];

/** The words that records name, each once. */
export class Texts {
  private readonly wanted = new Set<string>();

  constructor(private readonly catalogue: CatalogueState) {}

  note(type: string, data: unknown): void {
    for (const hash of textsNamedBy(type, data)) this.wanted.add(hash);
  }

  /** Null where nothing with that hash was ever published. */
  find(hash: string): Notice | null {
    return noticeOf(this.catalogue, hash);
  }

  /** Refuses where nothing with that hash was ever published: a record then names what nobody can show. */
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
