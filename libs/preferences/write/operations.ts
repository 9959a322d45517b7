import { BY_ANY_KEY, BY_SECRET_KEY, KB, type OperationDeclaration } from '../../access/index.js';
import { asserted } from '../../consent/index.js';
import { BATCH_ANSWER, BATCH_DESCRIPTION, BATCH_REFUSALS, batchRules } from '../../subjects/dto.js';
import {
  PreferenceBatchItemDto,
  PreferenceBatchResultDto,
  PreferenceRecordDto,
  SetPreferencesBatchDto,
  SetPreferencesDto,
} from './dto.js';
import { TO_HELP_PERSONS } from '../../context/roles.js';

const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  description:
    'Makes a repeat harmless, for ever: the same key and body give the first answer again, with `Idempotent-Replayed: true`. 1 to 255 visible ASCII characters.',
  required: false,
  example: '5f0c3d1e-8a1b-4c59-9f4e-1f2a3b4c5d6e',
};
const VISITOR = 'visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90';
const AT = '2026-11-21T12:00:00.000Z';

const RECORD = {
  id: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  object: 'preference_record',
  subject: { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T' },
  changes: [
    {
      field: 'channels.email.topics.news',
      channel: 'email',
      previousState: 'UNSET',
      state: 'PENDING',
      value: true,
      appliedToState: true,
    },
    { field: 'language', channel: null, previousState: 'UNSET', state: 'SET', value: 'de', appliedToState: true },
  ],
  globalOptOut: null,
  source: 'API',
  givenAt: AT,
  recordedAt: AT,
  sequence: 2,
  receiptId: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  receiptToken: 'rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4',
};

export const PREFERENCE_WRITE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'setPreferences',
    roles: TO_HELP_PERSONS,
    method: 'POST',
    path: '/v1/preferences',
    scope: 'preferences:write',
    subject: { in: 'body', name: 'subject' },
    bodyLimit: 64 * KB,
    privileged: (input: SetPreferencesDto) => asserted(input),
    tag: 'Preferences',
    summary: 'Say what a subject wants',
    description:
      'Topics of channels, typed fields, frequencies, pauses and the global opt-out, checked against the preference template in force. All values of a request are recorded together or none is. `true` grants a topic, or leaves it PENDING where its double opt-in is not done yet; a grant that stands is never taken away by that. `false` denies at once, always, and ends every open request for confirmation about the topic. What was said later stands: by `givenAt`, at equal times a refusal before a grant. The first write of a reference creates its subject.',
    headers: [IDEMPOTENCY],
    body: {
      contract: SetPreferencesDto,
      examples: {
        topics: {
          subject: VISITOR,
          channel: 'email',
          values: [
            { field: 'product_updates', value: true, frequency: 'MONTHLY' },
            { field: 'news', value: false },
          ],
        },
        typedFields: {
          subject: VISITOR,
          values: [
            { field: 'language', value: 'de' },
            { field: 'interests', value: ['books', 'music'] },
            { field: 'birthday', value: null },
          ],
        },
        pause: {
          subject: VISITOR,
          values: [{ field: 'channels.email.topics.product_updates', pausedUntil: '2099-01-01T00:00:00.000Z' }],
        },
        nothingAnyMore: {
          subject: VISITOR,
          globalOptOut: true,
          collection: {
            method: 'TOGGLE',
            surface: 'PREFERENCE_CENTER',
            url: 'https://shop.example/settings',
            locale: 'de',
          },
        },
      },
    },
    answers: [
      {
        status: 201,
        description: 'Recorded; also the answer to every repeat under the same key.',
        contract: PreferenceRecordDto,
        example: RECORD,
        headers: {
          'X-Log-Position': 'Position of the record in the log. Send it back with a read to see this write.',
          'Idempotent-Replayed': '`true` where this is the first answer again.',
        },
      },
    ],
    refusals: [
      'subject_ref_invalid',
      'identifier_kind_unknown',
      'subject_not_found',
      'subject_erased',
      'field_unknown',
      'field_type_mismatch',
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
    ],
  },
  {
    ...BY_SECRET_KEY,
    id: 'setPreferencesBatch',
    roles: TO_HELP_PERSONS,
    method: 'POST',
    path: '/v1/preferences/batch',
    scope: 'preferences:write',
    ...batchRules(PreferenceBatchItemDto),
    tag: 'Preferences',
    summary: 'Say what up to 500 subjects want',
    description: `Each record is what \`POST /v1/preferences\` takes; all values of a record are recorded together or none is. ${BATCH_DESCRIPTION}`,
    headers: [IDEMPOTENCY],
    body: {
      contract: SetPreferencesBatchDto,
      examples: {
        newsletter: {
          records: [
            { subject: VISITOR, channel: 'email', values: [{ field: 'news', value: true }] },
            { subject: 'user_id:7301', channel: 'email', values: [{ field: 'news', value: false }] },
          ],
        },
        import: {
          records: [
            {
              subject: VISITOR,
              values: [{ field: 'channels.email.topics.news', value: true }],
              source: 'MIGRATION',
              givenAt: '2024-05-02T08:00:00.000Z',
              idempotencyKey: 'import-17-row-4',
            },
          ],
          dryRun: true,
        },
      },
    },
    answers: [
      {
        ...BATCH_ANSWER,
        contract: PreferenceBatchResultDto,
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
