import { BY_OPERATOR, type OperationDeclaration } from '../access/index.js';
import { TO_READ_JOURNAL } from '../context/roles.js';
import { JournalDto, JournalQuery } from './dto.js';

const AT = '2026-11-21T12:00:00.000Z';

export const JOURNAL_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'getJournal',
    roles: TO_READ_JOURNAL,
    method: 'GET',
    path: '/admin/v1/journal',
    tag: 'Operator',
    summary: 'Who did what',
    description:
      'Every change that an operator made, every sign-in, refused sign-in and end of a session, and every look at a person, newest first. Of the sites and environments where the role of the caller counts; what belongs to no site is for those who have the role at every site. Persons appear by the ids of their subjects only. A page may hold fewer entries than asked for, even none, while more follow: go on by the cursor. Looks and sign-ins are kept as long as the access log, changes as long as the log. A read that sends `X-Log-Position` of a write has it in the first page.',
    query: JournalQuery,
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
        description: 'A page of the journal.',
        contract: JournalDto,
        example: {
          data: [
            {
              id: '0b62f6de-3d6b-4a58-9a53-0c6e63e6e1ea',
              at: AT,
              operator: { id: 'opt_4Zt8nXq2LmPa', name: 'deploy pipeline' },
              action: 'api_key_revoked',
              site: 'shop',
              env: null,
              target: { type: 'API_KEY', id: 'key_4Zt8nXq2LmPa' },
              summary: 'Key revoked',
              reason: 'leaked',
              before: null,
              after: null,
              session: null,
              requestId: 'req_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
            },
          ],
          nextCursor: null,
          hasMore: false,
        },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['validation_failed'],
  },
];
