import type { ReceiptedPurpose } from '../context/subject-timeline.js';
import { sameUlid, type Environment } from '../kernel/index.js';
import { recordReceipt, type RecordReceipt } from '../receipts/index.js';
import type { ConsentRecordedData } from './events.js';

/** What stands around a record: all of it is in the log. */
export interface RecordedWhere {
  site: string;
  env: Environment;
  subjectId: string;
  /** The record that stood for the purpose before; null: none did. */
  previousRecordId: string | null;
  /** The version of the purpose that was decided on. */
  purpose: ReceiptedPurpose;
}

/** The receipt of one decision. What is personal in the record (page, person, evidence addresses) is not in it. */
export function consentReceipt(
  record: ConsentRecordedData,
  { site, env, subjectId, previousRecordId, purpose }: RecordedWhere,
): RecordReceipt {
  const { collection, jurisdiction, notice, vendors = [], evidence = [], signals } = record;
  const { key, legalBasis, dataCategories, recipients, retention, controller } = purpose;
  return recordReceipt({
    recordId: record.recordId,
    subjectId,
    site,
    env,
    controllers: [{ name: controller.name, contact: controller.contact }],
    jurisdiction: jurisdiction
      ? { country: jurisdiction.country, region: jurisdiction.region ?? null, source: jurisdiction.source }
      : null,
    event: {
      type: 'consent',
      at: record.givenAt,
      recordedAt: record.recordedAt,
      validUntil: record.expiresAt,
      method: collection?.method ?? null,
      surface: collection?.surface ?? null,
      source: record.source,
      actor: record.actor.type,
    },
    purposes: [
      {
        key,
        version: record.purposeVersion,
        legalBasis,
        dataCategories: dataCategories.map((each) => ({ key: each.key, sensitive: each.sensitive })),
        recipients: recipients.map(({ name, role, country }) => ({ name, role, ...(country && { country }) })),
        retention,
        decision: record.decision,
        previousState: record.previousState,
        state: record.state,
        applied: record.appliedToState,
        previousReceipt: previousRecordId === null ? null : sameUlid('rct', previousRecordId),
      },
    ],
    preferences: [],
    vendors: vendors.map(({ framework, id, decision }) => ({ framework, id, decision })),
    gpc: signals?.gpc ?? null,
    notice: {
      hash: notice.contentHash,
      language: notice.locale,
      url: `/v1/purposes/${key}/versions/${record.purposeVersion}?locale=${encodeURIComponent(notice.locale)}`,
    },
    ...(collection?.display && { display: collection.display }),
    evidence: evidence.map(({ sha256 }) => sha256),
    withdrawal: { method: 'POST', url: '/v1/consent' },
  });
}
