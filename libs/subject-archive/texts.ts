import { noticeOf, type CatalogueState, type Notice } from '../catalogue/index.js';
import type { ConsentRecordedData } from '../consent/index.js';
import { Refused, refusal } from '../kernel/index.js';
import type { PersonEvent } from './person-event.js';

/** Hashes of all the words that an event says were shown. */
export function textsNamedBy({ type, data }: PersonEvent): string[] {
  switch (type) {
    case 'ConsentRecorded':
      return [data.notice.contentHash, ...(data.presentation ? shown(data.presentation) : [])];
    case 'PreferenceSet':
      return [
        ...(data.template.version === 0 ? [] : [data.template.contentHash]),
        ...(data.presentation ? shown(data.presentation) : []),
      ];
    case 'PreferenceConfirmationRequested':
      return data.template.version === 0 ? [] : [data.template.contentHash];
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

  /** Of an event that cannot be read nothing is known. */
  note(event: PersonEvent | null): void {
    if (event !== null) for (const hash of textsNamedBy(event)) this.wanted.add(hash);
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
