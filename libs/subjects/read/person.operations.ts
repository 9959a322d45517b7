import { BY_OPERATOR, KB, type OperationDeclaration } from '../../access/index.js';
import { TO_AUDIT, TO_DECIDE, TO_READ_PERSONS } from '../../context/roles.js';
import { FoundSubjectDto, LookUpSubjectDto, RevealIdentifiersDto, SubjectDto } from '../dto.js';
import { SUBJECT } from '../operations.js';
import { ReadsQuery, SubjectReadListDto } from '../reads.dto.js';
import { READ } from '../reads.operations.js';

const PATH = '/admin/v1/sites/{site}/{env}';
const PLACE = {
  site: { description: 'Site.', example: 'demo' },
  env: { description: '`test` or `live`.', example: 'test' },
};
const NO_STORE = { 'Cache-Control': 'Always `private, no-store`.' };
const REFUSALS = ['subject_ref_invalid', 'identifier_kind_unknown', 'subject_not_found', 'route_not_found'];

/** What operators alone do about persons. */
export const PERSON_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'lookUpSubject',
    roles: TO_READ_PERSONS,
    method: 'POST',
    path: `${PATH}/subjects/lookup`,
    bodyLimit: 4 * KB,
    tag: 'Subjects',
    summary: 'Look a person up',
    description:
      'Finds the subject that an identifier names. It stands in the body, so that no address and no log of a proxy holds it. Never makes a subject. Counts as a read by the operator.',
    pathParameters: PLACE,
    body: { contract: LookUpSubjectDto, examples: { address: { kind: 'user_id', value: '4712' } } },
    answers: [
      {
        status: 200,
        description: 'The subject.',
        contract: FoundSubjectDto,
        example: { subject: { id: SUBJECT.id } },
        headers: NO_STORE,
      },
    ],
    refusals: REFUSALS,
  },
  {
    ...BY_OPERATOR,
    id: 'revealIdentifiers',
    roles: TO_DECIDE,
    reveals: true,
    method: 'POST',
    path: `${PATH}/subjects/{id}/reveal`,
    bodyLimit: 4 * KB,
    tag: 'Subjects',
    summary: 'Show identifiers in clear',
    description:
      'Everywhere else operators get identifiers masked. Needs a reason. Who asked for it, of whom and why is recorded in the log before the answer. Each call is recorded anew.',
    pathParameters: { ...PLACE, id: { description: 'Id of the subject.', example: SUBJECT.id } },
    body: { contract: RevealIdentifiersDto, examples: { letter: { reason: 'answer by letter, case 2026-17' } } },
    answers: [{ status: 200, description: 'The subject.', contract: SubjectDto, example: SUBJECT, headers: NO_STORE }],
    refusals: ['subject_not_found', 'state_conflict', 'route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'listReads',
    roles: TO_AUDIT,
    method: 'GET',
    path: `${PATH}/reads`,
    tag: 'Subjects',
    summary: 'Who read what, by reader',
    description:
      'Reads of subjects by one reader, or by every operator where none is named, counted by hour, subject and operation. A read appears here within some seconds.',
    pathParameters: PLACE,
    query: ReadsQuery,
    answers: [
      {
        status: 200,
        description: 'A page of reads.',
        contract: SubjectReadListDto,
        example: { data: [READ], nextCursor: null, hasMore: false },
        headers: { Link: 'Address of the next page, `rel="next"`.', ...NO_STORE },
      },
    ],
    refusals: ['validation_failed', 'route_not_found'],
  },
];
