import { BY_ANY_KEY, BY_SECRET_KEY, REF_IN_PATH, type OperationDeclaration } from '../../access/index.js';
import { PreferenceHistoryDto, PreferenceHistoryQuery, PreferencesDto, PreferencesQuery } from './dto.js';
import { TO_READ_PERSONS } from '../../context/roles.js';

const POSITION = {
  name: 'X-Log-Position',
  description: 'As a write answered it: the answer reflects at least that write.',
  required: false,
  example: '42',
};
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  description: 'ETag of the answer at hand; a list or `*`.',
  required: false,
  example: 'W/"p2.0-1.1-"',
};
const REF = {
  ref: {
    description: 'Whose preferences: `<kind>:<value>`, percent-encoded as one path segment.',
    example: 'visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90',
  },
};
const AT = '2026-11-21T12:00:00.000Z';
const NEWS = {
  field: 'channels.email.topics.news',
  channel: 'email',
  previousState: 'UNSET',
  state: 'PENDING',
  value: true,
  appliedToState: true,
  frequency: 'WEEKLY',
};
const TOPIC = {
  state: 'PENDING',
  since: AT,
  confirmedAt: null,
  expiresAt: '2026-11-23T12:00:00.000Z',
  frequency: 'WEEKLY',
  pausedUntil: null,
  sendable: false,
  blockedBy: 'PENDING',
};

export const PREFERENCE_READ_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'getPreferences',
    roles: TO_READ_PERSONS,
    method: 'GET',
    path: '/v1/subjects/{ref}/preferences',
    scope: 'preferences:read',
    subject: REF_IN_PATH,
    tag: 'Preferences',
    summary: 'What a subject wants',
    description:
      'Every channel and topic of the template in force, whether something may be sent (`sendable`) and if not why, and the typed fields that have a value. A reference that was never seen answers UNSET everywhere. Weak ETag made of the subject’s revision and the template; a pause or a link that ends changes it at that instant.',
    pathParameters: REF,
    query: PreferencesQuery,
    headers: [
      POSITION,
      IF_NONE_MATCH,
      {
        name: 'Cache-Control',
        description: '`no-cache` is the same as `fresh=true`.',
        required: false,
        example: 'no-cache',
      },
    ],
    answers: [
      {
        status: 200,
        description: 'The preferences.',
        contract: PreferencesDto,
        headers: { ETag: 'Weak tag of this answer.' },
        example: {
          subject: { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T' },
          revision: 2,
          updatedAt: AT,
          globalOptOut: { state: 'NONE', since: null },
          channels: { email: { state: 'PENDING', verified: false, topics: { news: TOPIC } } },
          fields: { language: { type: 'SELECT', value: 'de', updatedAt: AT } },
        },
      },
      { status: 304, description: 'The answer at hand is current.', headers: { ETag: 'Its tag.' } },
    ],
    refusals: ['subject_ref_invalid', 'identifier_kind_unknown', 'subject_erased', 'validation_failed'],
  },
  {
    ...BY_SECRET_KEY,
    id: 'getPreferenceHistory',
    roles: TO_READ_PERSONS,
    method: 'GET',
    path: '/v1/subjects/{ref}/preferences/history',
    scope: 'history:read',
    subject: REF_IN_PATH,
    tag: 'Preferences',
    summary: 'Everything that was wanted, newest first',
    description:
      'Replayed from the event stream: what was said, and of each double opt-in who asked, in which words, what became of the mail, and when the click came. Nothing is ever changed or left out. Pages join without gap or repeat while writes go on.',
    pathParameters: REF,
    query: PreferenceHistoryQuery,
    answers: [
      {
        status: 200,
        description: 'A page of history.',
        contract: PreferenceHistoryDto,
        headers: { Link: 'Address of the next page, `rel="next"`.' },
        example: {
          data: [
            {
              object: 'preference_record',
              id: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
              sequence: 2,
              eventId: '0b5d6d0e-5b0a-5d3c-9a5e-7c1b2d4e8f90',
              receiptId: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
              mergedFrom: null,
              recordedAt: AT,
              changes: [NEWS],
              source: 'API',
              givenAt: AT,
              endedRequests: [],
              actor: { type: 'SUBJECT' },
              provenance: { keyId: 'key_4Zt8nXq2LmPa' },
            },
          ],
          nextCursor: null,
          hasMore: false,
        },
      },
    ],
    refusals: ['subject_ref_invalid', 'identifier_kind_unknown', 'subject_erased', 'validation_failed'],
  },
];
