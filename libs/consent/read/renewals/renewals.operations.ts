import { BY_SECRET_KEY, type OperationDeclaration } from '../../../access/index.js';
import { RenewalListDto, RenewalsQuery } from './renewals.dto.js';
import { TO_READ_PERSONS } from '../../../context/roles.js';

export const RENEWAL_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_SECRET_KEY,
    id: 'listRenewals',
    roles: TO_READ_PERSONS,
    method: 'GET',
    path: '/v1/purposes/{key}/renewals',
    scope: 'consent:read',
    subject: null,
    tag: 'Consent',
    summary: 'Whom to ask again',
    description:
      'The subjects whose state says `renewal.required` for this purpose: their grant is for a version that was changed materially since (a MATERIAL version in force; EDITORIAL ones ask no subject again), or it has run out. Compared at reading: publishing a version writes nothing for any subject. Of a retired purpose no subject is listed. A page can hold fewer than `limit` while `hasMore` is true; pages join without gap or repeat while writes go on.',
    pathParameters: { key: { description: 'Key of the purpose.', example: 'analytics' } },
    query: RenewalsQuery,
    headers: [
      {
        name: 'X-Log-Position',
        description: 'As a write answered it: the answer reflects at least that write.',
        required: false,
        example: '42',
      },
    ],
    answers: [
      {
        status: 200,
        description: 'A page of subjects, in the order of their ids.',
        contract: RenewalListDto,
        example: {
          data: [
            {
              subject: { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T' },
              reason: 'PURPOSE_VERSION_CHANGED',
              state: 'GRANTED',
              purposeVersion: 1,
              givenAt: '2026-11-21T12:00:00.000Z',
              expiresAt: null,
              country: 'DE',
              region: null,
            },
          ],
          nextCursor: null,
          hasMore: false,
        },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['purpose_not_found', 'validation_failed'],
  },
];
