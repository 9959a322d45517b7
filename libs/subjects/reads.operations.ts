import { BY_SECRET_KEY, REF_IN_PATH, type OperationDeclaration } from '../access/index.js';
import { ReadsQuery, SubjectReadListDto } from './reads.dto.js';
import { TO_AUDIT } from '../context/roles.js';

export const READ = {
  subject: { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' },
  reader: 'key_4Zt8nXq2LmPa',
  operation: 'getConsentState',
  hour: '2026-11-21T12:00:00.000Z',
  reads: 12,
  firstAt: '2026-11-21T12:03:07.412Z',
  lastAt: '2026-11-21T12:58:40.097Z',
};

export const LIST_SUBJECT_READS: OperationDeclaration = {
  ...BY_SECRET_KEY,
  id: 'listSubjectReads',
  roles: TO_AUDIT,
  method: 'GET',
  path: '/v1/subjects/{ref}/reads',
  scope: 'subjects:read',
  subject: REF_IN_PATH,
  tag: 'Subjects',
  summary: 'Who read what of a subject',
  description:
    'Every read of the subject by a secret key or by an operator at the command line, counted by hour, reader and operation: state, explanation, histories, timeline, preferences, receipts, identifiers, this list. Reads by the person’s own page, with a public key, are not counted. Of subjects that were merged into it as well. After an erasure it is asked for by the id, until the retention that the operator set is over. A read appears here within some seconds.',
  pathParameters: {
    ref: {
      description: 'Subject reference `<kind>:<value>`, percent-encoded as one segment.',
      example: 'email:ada@example.org',
    },
  },
  query: ReadsQuery,
  answers: [
    {
      status: 200,
      description: 'A page of reads.',
      contract: SubjectReadListDto,
      example: { data: [READ], nextCursor: null, hasMore: false },
      headers: { Link: 'Address of the next page, `rel="next"`.' },
    },
  ],
  refusals: ['subject_ref_invalid', 'identifier_kind_unknown', 'subject_not_found', 'validation_failed'],
};
