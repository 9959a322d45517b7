import { defineDisplays, type TimelineEntry } from '../../context/subject-timeline.js';
import { sameUlid } from '../../kernel/index.js';
import type { Presentation } from '../../catalogue/index.js';
import { announcedPlace, whereaboutsOf } from '../circumstances.js';
import type { TimelineSays } from '../../context/timeline-item.js';
import type { Happened } from '../../streams/stream.js';
import type { ConsentEvent, ConsentRecorded, ConsentRecordedData } from '../events.js';
import { consentHistoryItem } from '../read/history-item.js';
import { consentReceipt } from '../receipt.js';
import { decisionOn, type ConsentState } from '../state.js';
import { displayCode } from './display.js';

const ANSWERED: Readonly<Record<string, string>> = {
  GRANTED: 'Agreed',
  DENIED: 'Refused',
  WITHDRAWN: 'Took consent back',
  OBJECTED: 'Objected',
  ACKNOWLEDGED: 'Took note',
} satisfies Record<ConsentRecordedData['decision'], string>;

/** How archives, bundles, timelines and receipts show consent. */
export const consentDisplays = defineDisplays<ConsentEvent, ConsentState>({
  ConsentRecorded: {
    headline: ({ answer, type }) => ANSWERED[answer ?? ''] ?? type,
    entries: (record) => [entryOf(record)],
    says: recordedSays,
    line: ({ purpose, decision, purposeVersion, appliedToState, undated }) =>
      `${purpose} ${decision}, version ${purposeVersion}${appliedToState ? '' : `, without effect: ${undated ? 'it has no date' : 'a newer decision stands'}`}`,
    texts: ({ notice, presentation }) => [notice.contentHash, ...(presentation ? textsIn(presentation) : [])],
    decided: ({ jurisdiction, givenAt }) => ({
      ...(jurisdiction ? whereaboutsOf(jurisdiction) : { country: null, region: null }),
      at: givenAt,
    }),
    receipt: {
      id: ({ recordId }) => sameUlid('rct', recordId),
      hasOwnIndex: true,
      make: (record, { site, env, subjectId, before, purpose }) => ({
        receipt: consentReceipt(record, {
          site,
          env,
          subjectId,
          previousRecordId: decisionOn(before, record.purpose)?.recordId ?? null,
          purpose: purpose(record.purpose, record.purposeVersion),
        }),
        recordedAt: record.recordedAt,
      }),
    },
  },
  ConsentExpired: {
    headline: 'Consent ended by itself',
    entries: ({ expiredAt, purpose, recordId }) => [
      { givenAt: expiredAt, about: purpose, state: 'EXPIRED', record: recordId },
    ],
    says: (event, mergedFrom) => ({ at: event.data.expiredAt, record: consentHistoryItem(event, mergedFrom) }),
    line: ({ purpose }) => `${purpose} EXPIRED`,
  },
});

/** What is the same of every kind of record stands beside the record. */
function recordedSays(event: Happened<ConsentRecorded>, mergedFrom: string | null): TimelineSays {
  const { presentation, notice, appliedToState, actor, ...record } = consentHistoryItem(event, mergedFrom);
  return {
    at: event.data.givenAt,
    actor: actor!,
    record,
    receiptId: record.receiptId!,
    ...(presentation && { presentation }),
    notice: notice!,
    appliedToState: appliedToState!,
  };
}

function entryOf(record: ConsentRecordedData): Partial<TimelineEntry> {
  const { collection, jurisdiction, presentation, notice } = record;
  return {
    givenAt: record.givenAt,
    about: record.purpose,
    answer: record.decision,
    state: record.state,
    applied: record.appliedToState,
    validUntil: record.expiresAt,
    version: record.purposeVersion,
    language: notice.locale,
    text: notice.contentHash,
    banner: presentation?.banner.contentHash ?? null,
    method: collection?.method ?? null,
    surface: collection?.surface ?? null,
    display: displayCode(record),
    ...announcedPlace(jurisdiction),
    source: record.source,
    actor: record.actor.type,
    record: record.recordId,
    receipt: sameUlid('rct', record.recordId),
  };
}

/** Hashes of all the words of a banner that was shown. */
const textsIn = ({ banner, purposes }: Presentation): string[] => [
  banner.contentHash,
  ...purposes.map(({ contentHash }) => contentHash),
];
