import { BY_ANY_KEY, KB, type OperationDeclaration } from '../../access/index.js';
import { Misshapen } from '../../http/contract/misshapen.js';
import { BATCH_ANSWER, BATCH_DESCRIPTION, BATCH_REFUSALS, batchRules } from '../../subjects/dto.js';
import { asserted } from '../asserted.js';
import { BatchItemDto, BatchResultDto, ConsentRecordDto, RecordBatchDto, RecordConsentDto } from './dto.js';
import { TO_DECIDE } from '../../context/roles.js';

const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  description:
    'Makes a repeat harmless, for ever unless the operator of the service has set a retention: the same key and body give the first answer again, with `Idempotent-Replayed: true`. 1 to 255 visible ASCII characters.',
  required: false,
  example: '5f0c3d1e-8a1b-4c59-9f4e-1f2a3b4c5d6e',
};
const GPC = {
  name: 'Sec-GPC',
  description: '`1`: Global Privacy Control. Counts with a public key.',
  required: false,
  example: '1',
};
const VISITOR = 'visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90';

const RECORD = {
  id: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  object: 'consent_record',
  subject: { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T' },
  purpose: 'analytics',
  purposeVersion: 1,
  decision: 'GRANTED',
  state: 'GRANTED',
  previousState: 'NOT_COLLECTED',
  source: 'API',
  givenAt: '2026-11-21T12:00:00.000Z',
  recordedAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2027-11-21T12:00:00.000Z',
  sequence: 2,
  receiptId: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  receiptToken: 'rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4',
  appliedToState: true,
  supersededBy: null,
};

const RULES = [
  'subject_ref_invalid',
  'identifier_kind_unknown',
  'subject_not_found',
  'subject_erased',
  'purpose_unknown',
  'purpose_retired',
  'purpose_version_unknown',
  'decision_not_allowed',
  'timestamp_in_future',
  'presentation_token_invalid',
  'presentation_token_foreign',
  'presentation_token_expired',
  'presentation_mismatch',
  'validation_failed',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'state_conflict',
] as const;

export const CONSENT_WRITE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'recordConsent',
    roles: TO_DECIDE,
    method: 'POST',
    path: '/v1/consent',
    scope: 'consent:write',
    subject: { in: 'body', name: 'subject' },
    bodyLimit: 64 * KB,
    privileged: (record: RecordConsentDto) => asserted(record),
    tag: 'Consent',
    summary: 'Record one decision',
    description:
      'One decision of one subject on one purpose. The first decision of a reference creates its subject. 201 means: durable in the event log, and recorded exactly once, whatever is retried under the same Idempotency-Key. Where `collection.presentationToken` comes with it, the record keeps what the banner showed, and is about the very version and text that were shown.',
    headers: [IDEMPOTENCY, GPC],
    body: {
      contract: RecordConsentDto,
      examples: {
        grant: { subject: VISITOR, purpose: 'analytics', decision: 'GRANTED' },
        refusalWithEvidence: {
          subject: VISITOR,
          purpose: 'marketing',
          decision: 'DENIED',
          jurisdiction: { country: 'DE', source: 'DETECTED' },
          collection: { method: 'REJECT_ALL', surface: 'BANNER', url: 'https://shop.example/checkout', locale: 'de' },
          signals: { gpc: true },
          metadata: { campaign: 'autumn' },
        },
      },
    },
    answers: [
      {
        status: 201,
        description: 'Recorded; also the answer to every repeat under the same key.',
        contract: ConsentRecordDto,
        example: RECORD,
        headers: {
          'X-Log-Position': 'Position of the record in the log. Send it back with a read to see this write.',
          'Idempotent-Replayed': '`true` where this is the first answer again.',
        },
      },
    ],
    refusals: RULES,
  },
  {
    ...BY_ANY_KEY,
    id: 'recordConsentBatch',
    roles: TO_DECIDE,
    method: 'POST',
    path: '/v1/consent/batch',
    scope: 'consent:write',
    ...batchRules(BatchItemDto),
    privileged: ({ records }: RecordBatchDto) =>
      records.flatMap((record, i) => (record instanceof Misshapen ? [] : asserted(record, `records[${i}].`))),
    tag: 'Consent',
    summary: 'Record up to 500 decisions',
    description: BATCH_DESCRIPTION,
    headers: [IDEMPOTENCY, GPC],
    body: {
      contract: RecordBatchDto,
      examples: {
        saveChoices: {
          records: [
            {
              subject: VISITOR,
              purpose: 'analytics',
              decision: 'GRANTED',
              collection: { method: 'SAVE_CHOICES', surface: 'BANNER' },
            },
            {
              subject: VISITOR,
              purpose: 'marketing',
              decision: 'DENIED',
              collection: { method: 'SAVE_CHOICES', surface: 'BANNER' },
            },
          ],
        },
        dryRun: {
          records: [{ subject: VISITOR, purpose: 'analytics', decision: 'GRANTED', idempotencyKey: 'import-17-row-1' }],
          mode: 'ATOMIC',
          dryRun: true,
        },
      },
    },
    answers: [
      {
        ...BATCH_ANSWER,
        contract: BatchResultDto,
        example: {
          object: 'batch_result',
          mode: 'PARTIAL',
          summary: { total: 1, recorded: 1, replayed: 0, rejected: 0 },
          results: [{ index: 0, status: 'RECORDED', record: RECORD }],
        },
      },
    ],
    refusals: BATCH_REFUSALS,
  },
];
