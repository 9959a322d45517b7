import { BY_SECRET_KEY, REF_IN_PATH, type OperationDeclaration } from '../access/index.js';
import { TO_READ_PERSONS } from '../context/roles.js';
import { TimelineDto, TimelineQuery } from './dto.js';

const AT = '2026-11-21T12:00:00.000Z';

export const TIMELINE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_SECRET_KEY,
    id: 'getTimeline',
    method: 'GET',
    path: '/v1/subjects/{ref}/timeline',
    roles: TO_READ_PERSONS,
    scope: 'history:read',
    subject: REF_IN_PATH,
    tag: 'Subjects',
    summary: 'All that happened to a person, newest first',
    description:
      'Decisions and their ends, preferences, confirmations and their mails, identifiers, merges and their reverts, legal holds, and every step of the data requests, in one list: of the subject and of all that were merged into it, in the order in which they were recorded. Every event comes once, however the pages are cut and while others are written. A merge is one event for each of the two subjects. A read that sends `X-Log-Position` of a write has it in the first page.',
    pathParameters: {
      ref: {
        description: 'Whose: `<kind>:<value>`, percent-encoded as one path segment.',
        example: 'email:ada@example.org',
      },
    },
    query: TimelineQuery,
    headers: [
      {
        name: 'X-Log-Position',
        description: 'As a write answered it: the first page reflects at least that write.',
        required: false,
        example: '42',
      },
    ],
    answers: [
      {
        status: 200,
        description: 'A page of the timeline.',
        contract: TimelineDto,
        example: {
          data: [
            {
              position: '42',
              at: AT,
              recordedAt: AT,
              type: 'data_request_received',
              title: 'A data request came in',
              mergedFrom: null,
              by: 'key_4Zt8nXq2LmPa',
              request: {
                id: 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
                type: 'ACCESS',
                receivedAt: AT,
                dueAt: '2026-12-21T23:00:00.000Z',
                state: 'RECEIVED',
                source: 'API',
                regulation: 'GDPR',
              },
            },
          ],
          nextCursor: null,
          hasMore: false,
        },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['subject_ref_invalid', 'identifier_kind_unknown', 'subject_erased', 'validation_failed'],
  },
];
