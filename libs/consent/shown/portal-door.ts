import { FRESH, type PortalDoor } from '../../context/portal-door.js';
import type { SubjectTimeline } from '../../context/subject-timeline.js';
import type { Caller } from '../../http/caller.js';
import { historyPageOf, readHistoryCursor } from '../../http/list.js';
import type { Instant, Position, Work } from '../../kernel/index.js';
import type { Whereabouts } from '../../policy/index.js';
import type { JoinedEvent } from '../../streams/joined-history.js';
import type { Collection } from '../events.js';
import { GetConsentState } from '../read/get-consent-state.handler.js';
import { ConsentReader } from '../read/reader.js';
import type { ConsentStateView } from '../state-view.js';
import { RecordConsentCommand } from '../write/record-consent.handler.js';

/** A decision that a person takes on the page. */
export interface PortalDecision {
  purpose: string;
  purposeVersion: number;
  decision: 'GRANTED' | 'WITHDRAWN' | 'OBJECTED';
  collection: Collection;
}

export interface PortalRecord {
  receiptId: string;
  position: Position;
}

/** A record that has a receipt. */
export interface ListedReceipt {
  receiptId: string;
  /** Keys of purposes, paths of preferences; `globalOptOut`. */
  about: string[];
  /** What the person said, as a code; null: several things, or a value. */
  answer: string | null;
  at: Instant;
}

/** What the portal asks about consent. */
export interface PortalConsent {
  /** Needs the role that reads; never misses an acknowledged write. So does the next one. */
  consentOf(
    caller: Caller,
    subjectId: string,
    seen: { place: Whereabouts | null; gpc: boolean },
    work: Work,
  ): Promise<ConsentStateView>;
  /** All receipts of the subject and of those merged into it, newest first, page by page; `next`: where the page after goes on. */
  receiptsOf(
    caller: Caller,
    subjectId: string,
    before: string | null,
  ): Promise<{ data: ListedReceipt[]; next: string | null }>;
  /** Needs the role that writes. */
  recordConsent(caller: Caller, subjectId: string, decision: PortalDecision, gpc: boolean): Promise<PortalRecord>;
}

const RECEIPTS_A_PAGE = 20;

export const portalConsent: PortalDoor<PortalConsent> = ({ commands, queries, modules, timeline, calling }) => ({
  consentOf: async (caller, subjectId, { place, gpc }, work) => {
    const by = calling(caller, 'getConsentState');
    const asked = { place: place?.country ? { ...place, by: 'PROXY' as const } : null, gpcOnRequest: gpc };
    const query = new GetConsentState(by, `subject:${subjectId}`, undefined, asked, { ...FRESH, work });
    return (await queries.execute(query)).view!;
  },
  receiptsOf: async (caller, subjectId, before) => {
    const by = calling(caller, 'getReceipt');
    const reader = modules.get(ConsentReader, { strict: false });
    const reference = { kind: 'subject', value: subjectId } as const;
    const wanted = { after: before === null ? undefined : readHistoryCursor(before), limit: RECEIPTS_A_PAGE };
    const listed = (event: JoinedEvent): ListedReceipt | null => listedReceipt(timeline, event);
    const { data, nextCursor } = historyPageOf(await reader.history(by, reference, wanted, listed));
    return { data, next: nextCursor };
  },
  recordConsent: async (caller, subjectId, decision, gpc) => {
    const by = calling(caller, 'recordConsent');
    const input = { subject: `subject:${subjectId}`, ...decision };
    const { view, position } = await commands.execute(new RecordConsentCommand(by, input, null, gpc));
    return { receiptId: view.receiptId, position };
  },
});

/** What an event says that has a receipt; null: it has none. */
function listedReceipt(timeline: SubjectTimeline, { event, subjectId }: JoinedEvent): ListedReceipt | null {
  const { position, type, metadata } = event;
  const entries = timeline.entriesOf({
    position: String(position),
    recordedAt: metadata.recordedAt,
    type,
    subjectId,
    event: timeline.known(event),
  });
  const [first] = entries;
  if (!first?.receipt) return null;
  const answers = new Set(entries.map(({ answer }) => answer));
  return {
    receiptId: first.receipt,
    about: [...new Set(entries.map(({ about }) => about))],
    answer: answers.size === 1 ? first.answer : null,
    at: first.givenAt ?? first.recordedAt,
  };
}
