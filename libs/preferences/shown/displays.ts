import type { Presentation } from '../../catalogue/index.js';
import { displayCode } from '../../consent/index.js';
import { defineDisplays, type Mask, type TimelineEntry } from '../../context/subject-timeline.js';
import type { TimelineSays } from '../../context/timeline-item.js';
import { sameUlid } from '../../kernel/index.js';
import type { Happened } from '../../streams/stream.js';
import { historyItem } from '../read/history-item.js';
import type {
  PreferenceChange,
  PreferenceConfirmationRequestedData,
  PreferenceEvent,
  PreferenceSetData,
  TemplateShown,
} from '../events.js';
import { confirmationReceipt, preferenceReceipt, recordOn } from '../receipt.js';
import type { PreferenceState } from '../state.js';

/** How archives, bundles, timelines and receipts show preferences. */
export const preferenceDisplays = defineDisplays<PreferenceEvent, PreferenceState>({
  PreferenceSet: {
    headline: headlineOfSet,
    entries: entriesOfSet,
    says: (event, mergedFrom) => ({
      ...shownOf(event, mergedFrom),
      at: event.data.givenAt,
      appliedToState: [...event.data.changes, ...(event.data.globalOptOut ? [event.data.globalOptOut] : [])].some(
        ({ appliedToState }) => appliedToState,
      ),
    }),
    line: ({ changes, globalOptOut }, mask) =>
      [
        ...changes.map((change) => `${change.field} = ${wishIn(change, mask)}`),
        ...(globalOptOut ? ['all of them'] : []),
      ].join(', '),
    texts: ({ template, presentation }) => [
      ...textsIn(template),
      ...(presentation ? textsInPresentation(presentation) : []),
    ],
    receipt: {
      id: ({ recordId }) => sameUlid('rct', recordId),
      make: (record, { before, ...where }) => ({
        receipt: preferenceReceipt(record, { ...where, previousRecordOf: (field) => recordOn(before, field) }),
        recordedAt: record.recordedAt,
      }),
    },
  },
  PreferenceConfirmationRequested: {
    headline: 'Was asked to confirm',
    says: (event, mergedFrom) => ({ ...shownOf(event, mergedFrom), at: event.data.requestedAt }),
    entries: ({ fields, requestedAt, expiresAt, template, requestId }) =>
      fields.map(({ field }) => ({
        givenAt: requestedAt,
        about: field,
        state: 'PENDING',
        validUntil: expiresAt,
        ...templateColumns(template),
        note: requestId,
      })),
    line: linesOfFields,
    texts: ({ template }) => textsIn(template),
    words: ({ text }: PreferenceConfirmationRequestedData) => text,
  },
  PreferenceConfirmationMailed: {
    headline: 'The mail with the link was handed over',
    says: (event, mergedFrom) => ({ ...shownOf(event, mergedFrom), at: event.data.at }),
    entries: ({ at, outcome, requestId, code }) => [
      { givenAt: at, state: outcome, note: [requestId, code].filter(Boolean).join(' ') },
    ],
    line: ({ outcome, code }) => (code === null ? outcome : `${outcome} ${code}`),
  },
  PreferenceConfirmed: {
    headline: 'Confirmed by the link',
    says: (event, mergedFrom) => ({
      ...shownOf(event, mergedFrom),
      actor: { type: 'SUBJECT' },
      appliedToState: true,
      at: event.data.confirmedAt,
    }),
    entries: ({ fields, confirmedAt, via, recordId, requestId }) =>
      fields.map(({ field }) => ({
        givenAt: confirmedAt,
        about: field,
        answer: 'GRANTED',
        state: 'GRANTED',
        applied: true,
        method: 'CONFIRMATION_LINK',
        surface: via,
        actor: 'SUBJECT',
        ...recordColumns(recordId),
        note: requestId,
      })),
    line: linesOfFields,
    receipt: {
      id: ({ recordId }) => sameUlid('rct', recordId),
      make: (record, { before, ...where }) => ({
        receipt: confirmationReceipt(record, { ...where, previousRecordOf: (field) => recordOn(before, field) }),
        recordedAt: record.confirmedAt,
      }),
    },
  },
  PreferenceConfirmationExpired: {
    headline: 'Not confirmed in time',
    says: (event, mergedFrom) => ({ ...shownOf(event, mergedFrom), at: event.data.expiredAt }),
    entries: ({ fields, expiredAt, requestId }) =>
      fields.map(({ field, state }) => ({ givenAt: expiredAt, about: field, state: state ?? null, note: requestId })),
    line: linesOfFields,
  },
});

/** What is the same of every kind of record stands beside the record. */
function shownOf(event: Happened<PreferenceEvent>, mergedFrom: string | null): Omit<TimelineSays, 'at'> {
  const { presentation, actor, ...preference } = historyItem(event, mergedFrom);
  const { receiptId, template } = preference;
  return {
    ...(actor && { actor }),
    preference,
    ...(receiptId !== null && { receiptId }),
    ...(presentation && { presentation }),
    // Before anything was published there were no words to show.
    ...(template && template.version > 0 && { notice: { locale: template.locale, contentHash: template.contentHash } }),
  };
}

function headlineOfSet({ about, answer, state }: TimelineEntry): string {
  if (about === 'globalOptOut') return answer === 'DENIED' ? 'Wants no messages at all' : 'Wants messages again';
  if (answer !== null) return answer === 'GRANTED' ? 'Wants' : 'Does not want';
  return state === 'UNSET' ? 'Cleared' : 'Set';
}

function entriesOfSet(record: PreferenceSetData): Partial<TimelineEntry>[] {
  const { changes, globalOptOut, collection, presentation, template } = record;
  const common: Partial<TimelineEntry> = {
    givenAt: record.givenAt,
    ...templateColumns(template),
    banner: presentation?.banner.contentHash ?? null,
    method: collection?.method ?? null,
    surface: collection?.surface ?? null,
    display: displayCode(record),
    source: record.source,
    actor: record.actor.type,
    ...recordColumns(record.recordId),
  };
  const rows = changes.map((change) => ({
    ...common,
    about: change.field,
    answer: answerOf(change),
    state: change.state,
    applied: change.appliedToState,
  }));
  if (!globalOptOut) return rows;
  const { wanted, state, appliedToState: applied } = globalOptOut;
  return [...rows, { ...common, about: 'globalOptOut', answer: wanted ? 'DENIED' : 'GRANTED', state, applied }];
}

/** A typed field has a value, which is personal, and no answer. */
function answerOf(change: PreferenceChange): string | null {
  if (change.kind === 'field' || change.wanted === undefined) return null;
  return change.wanted ? 'GRANTED' : 'DENIED';
}

const recordColumns = (recordId: string): Pick<TimelineEntry, 'record' | 'receipt'> => ({
  record: recordId,
  receipt: sameUlid('rct', recordId),
});

/** Before anything was published there were no words to show. */
const templateColumns = ({ version, locale, contentHash }: TemplateShown): Partial<TimelineEntry> =>
  version === 0 ? { version } : { version, language: locale, text: contentHash };
const textsIn = ({ version, contentHash }: TemplateShown): string[] => (version === 0 ? [] : [contentHash]);

const textsInPresentation = ({ banner, purposes }: Presentation): string[] => [
  banner.contentHash,
  ...purposes.map(({ contentHash }) => contentHash),
];

function linesOfFields({ fields }: { fields: readonly { field: string }[] }): string {
  return fields.map(({ field }) => field).join(', ');
}

function wishIn(change: PreferenceChange, mask: Mask): string {
  const value = change.kind === 'topic' ? change.wanted : change.value;
  if (typeof value === 'string') return mask(value);
  return value === undefined || value === null ? '(forgotten, or cleared)' : JSON.stringify(value);
}
