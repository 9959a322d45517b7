import { sameUlid, type Environment } from '../kernel/index.js';
import { recordReceipt, type ReceiptController, type RecordReceipt } from '../receipts/index.js';
import type { PreferenceConfirmedData, PreferenceSetData } from './events.js';
import type { PreferenceChoices } from './topics.js';

/** What stands around a record: all of it is in the log. */
export interface RecordedWhere {
  site: string;
  env: Environment;
  subjectId: string;
  /** The record that stood for a field before; null: none did. */
  previousRecordOf: (field: string) => string | null;
}

/** Topics and fields name no controller. */
const CONTROLLERS: ReceiptController[] = [];
const WITHDRAWAL = { method: 'POST', url: '/v1/preferences' } as const;

/** The receipt of what a subject wanted. The values of typed fields are personal, and not in it. */
export function preferenceReceipt(
  record: PreferenceSetData,
  { site, env, subjectId, previousRecordOf }: RecordedWhere,
): RecordReceipt {
  const { changes, collection, globalOptOut, template } = record;
  const previousReceipt = receiptBefore(previousRecordOf);
  return recordReceipt({
    recordId: record.recordId,
    subjectId,
    site,
    env,
    controllers: CONTROLLERS,
    jurisdiction: null,
    event: {
      type: 'preference',
      at: record.givenAt,
      recordedAt: record.recordedAt,
      validUntil: null,
      method: collection?.method ?? null,
      surface: collection?.surface ?? null,
      source: record.source,
      actor: record.actor.type,
    },
    purposes: [],
    preferences: [
      ...changes.map(({ field, previousState, state, appliedToState }) => ({
        field,
        previousState,
        state,
        applied: appliedToState,
        previousReceipt: previousReceipt(field),
      })),
      ...(globalOptOut
        ? [
            {
              field: 'globalOptOut',
              previousState: globalOptOut.previousState,
              state: globalOptOut.state,
              applied: globalOptOut.appliedToState,
              previousReceipt: null,
            },
          ]
        : []),
    ],
    vendors: [],
    gpc: null,
    notice: {
      hash: template.contentHash,
      language: template.locale,
      url: `/v1/preference-template?locale=${encodeURIComponent(template.locale)}`,
    },
    ...(collection?.display && { display: collection.display }),
    evidence: [],
    withdrawal: WITHDRAWAL,
  });
}

/** The receipt of a click on a link that was mailed (double opt-in). */
export function confirmationReceipt(
  record: PreferenceConfirmedData,
  { site, env, subjectId, previousRecordOf }: RecordedWhere,
): RecordReceipt {
  const previousReceipt = receiptBefore(previousRecordOf);
  return recordReceipt({
    recordId: record.recordId,
    subjectId,
    site,
    env,
    controllers: CONTROLLERS,
    jurisdiction: null,
    event: {
      type: 'confirmation',
      at: record.confirmedAt,
      recordedAt: record.confirmedAt,
      validUntil: null,
      method: 'CONFIRMATION_LINK',
      surface: record.via,
      source: 'LINK',
      actor: 'SUBJECT',
    },
    purposes: [],
    preferences: record.fields.map(({ field, previousState }) => ({
      field,
      previousState,
      state: 'GRANTED',
      applied: true,
      previousReceipt: previousReceipt(field),
    })),
    vendors: [],
    gpc: null,
    notice: null,
    evidence: [],
    withdrawal: WITHDRAWAL,
  });
}

const receiptBefore =
  (previousRecordOf: RecordedWhere['previousRecordOf']) =>
  (field: string): string | null => {
    const recordId = previousRecordOf(field);
    return recordId === null ? null : sameUlid('rct', recordId);
  };

/** The record that stands for a topic or field, whose name may be that of anything: `constructor` is one. */
export function recordOn(
  { topics, fields }: Pick<PreferenceChoices, 'topics' | 'fields'>,
  field: string,
): string | null {
  if (Object.hasOwn(topics, field)) return topics[field]!.recordId;
  return Object.hasOwn(fields, field) ? fields[field]!.recordId : null;
}
