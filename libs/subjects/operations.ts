import { BY_SECRET_KEY, KB, REF_IN_PATH, type OperationDeclaration } from '../access/index.js';
import {
  AddIdentifierDto,
  CreateSubjectDto,
  EraseSubjectDto,
  ErasureReceiptDto,
  LiftRestrictionDto,
  MergeResultDto,
  MergeSubjectsDto,
  RestrictSubjectDto,
  RevertMergeDto,
  RevertResultDto,
  SubjectDto,
} from './dto.js';
import { LIST_SUBJECT_READS } from './reads.operations.js';
import { TO_DECIDE, TO_HELP_PERSONS, TO_READ_PERSONS } from '../context/roles.js';

const AT = '2026-11-21T12:00:00.000Z';
const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  description:
    'Makes a repeat harmless, for ever: the same key and body give the first answer again, with `Idempotent-Replayed: true`. 1 to 255 visible ASCII characters.',
  required: false,
  example: '5f0c3d1e-8a1b-4c59-9f4e-1f2a3b4c5d6e',
};
const WRITTEN = {
  'X-Log-Position':
    'Position of the change in the log; absent where nothing changed. Send it back with a read to see this write.',
  'Idempotent-Replayed': '`true` where this is the first answer again.',
};
const IDENTIFIER = {
  id: 'idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  kind: 'email',
  value: 'ada@example.org',
  verified: true,
  verifiedAt: AT,
  verificationMethod: 'OPERATOR',
  primary: true,
  source: 'API',
  addedAt: AT,
};
export const SUBJECT = {
  id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  object: 'subject',
  state: 'ACTIVE',
  mergedInto: null,
  identifiers: [IDENTIFIER],
  locale: 'de-AT',
  country: 'AT',
  metadata: { tier: 'gold' },
  restrictedUntil: null,
  createdAt: AT,
  updatedAt: AT,
};
const MERGE = {
  mergeId: 'mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  target: { id: SUBJECT.id },
  merged: ['sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T'],
  conflicts: [
    {
      purpose: 'marketing',
      values: [
        { subject: SUBJECT.id, state: 'GRANTED', givenAt: AT },
        { subject: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T', state: 'DENIED', givenAt: AT },
      ],
      chosen: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T',
      rule: 'MOST_RESTRICTIVE',
    },
  ],
  dryRun: false,
};
const RECEIPT = {
  receipt: {
    schema: 'urn:consent-receipt:1',
    id: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    issuer: 'https://consent.shop.example',
    site: 'shop',
    environment: 'live',
    subject: { id: SUBJECT.id },
    event: { type: 'erasure', state: 'ERASED', at: AT, reason: 'DATA_SUBJECT_REQUEST' },
    erased: { subjects: [SUBJECT.id], destroyed: ['SUBJECT_KEY', 'IDENTIFIERS'] },
    kept: [{ what: 'DECISIONS', as: 'ANONYMOUS_EVIDENCE', under: ['GDPR art. 17(3)(e)'] }],
  },
  jws: 'eyJhbGciOiJFZERTQSJ9.e30.AAAA',
};
const REF = ['subject_ref_invalid', 'identifier_kind_unknown', 'subject_not_found', 'subject_erased'] as const;
const KEYED = [
  'validation_failed',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'state_conflict',
  'subject_erased',
] as const;
const PATH = {
  ref: {
    description: 'Subject reference `<kind>:<value>`, percent-encoded as one segment.',
    example: 'email:ada@example.org',
  },
};

export const SUBJECT_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_SECRET_KEY,
    id: 'createSubject',
    roles: TO_HELP_PERSONS,
    method: 'POST',
    path: '/v1/subjects',
    scope: 'subjects:write',
    subject: null,
    bodyLimit: 64 * KB,
    tag: 'Subjects',
    summary: 'Create a subject',
    headers: [IDEMPOTENCY],
    description:
      'Makes a subject with these identifiers, or finds the one they name and gives it those that no subject has. Subjects also come into being by themselves, with the first decision of an unknown reference.',
    body: {
      contract: CreateSubjectDto,
      examples: {
        customer: {
          identifiers: [
            { kind: 'email', value: 'Ada@Example.org', verified: true },
            { kind: 'user_id', value: '4711' },
          ],
          locale: 'de-AT',
          country: 'AT',
          metadata: { tier: 'gold' },
        },
      },
    },
    answers: [
      { status: 201, description: 'Created.', contract: SubjectDto, example: SUBJECT, headers: WRITTEN },
      {
        status: 200,
        description: 'They named this subject already.',
        contract: SubjectDto,
        example: SUBJECT,
        headers: WRITTEN,
      },
    ],
    refusals: ['subject_ref_invalid', 'identifier_kind_unknown', 'identifier_conflict', ...KEYED],
  },
  {
    ...BY_SECRET_KEY,
    id: 'addIdentifier',
    roles: TO_DECIDE,
    method: 'POST',
    path: '/v1/subjects/{ref}/identifiers',
    scope: 'subjects:write',
    subject: REF_IN_PATH,
    bodyLimit: 64 * KB,
    tag: 'Subjects',
    summary: 'Add an identifier',
    headers: [IDEMPOTENCY],
    pathParameters: PATH,
    description:
      'An identifier of another subject is refused: merge instead. An anonymous visitor (`visitor_id`, `device_id`) who turns out to be this person is linked, on whichever side the visitor stands, and `carryOver` says which of the visitor’s decisions follow. Later requests with the visitor’s reference reach the person.',
    body: {
      contract: AddIdentifierDto,
      examples: {
        login: { kind: 'visitor_id', value: '7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90' },
        phone: { kind: 'phone', value: '+43 1 234 5678', verified: true },
      },
    },
    answers: [
      { status: 201, description: 'Added, or linked.', contract: SubjectDto, example: SUBJECT, headers: WRITTEN },
      {
        status: 200,
        description: 'The subject had it already.',
        contract: SubjectDto,
        example: SUBJECT,
        headers: WRITTEN,
      },
    ],
    refusals: [...REF, 'identifier_conflict', 'merge_conflict', ...KEYED],
  },
  {
    ...BY_SECRET_KEY,
    id: 'mergeSubjects',
    roles: TO_DECIDE,
    method: 'POST',
    path: '/v1/subjects/merge',
    scope: 'subjects:write',
    subject: null,
    bodyLimit: 64 * KB,
    tag: 'Subjects',
    summary: 'Merge subjects',
    headers: [IDEMPOTENCY],
    description:
      'Makes the sources part of the target. Both histories read as one afterwards, newest first, each item naming the subject it came from. Nothing is chosen silently: every purpose and preference on which they differed is reported with the rule that chose. `dryRun` reports without merging.',
    body: {
      contract: MergeSubjectsDto,
      examples: {
        preview: { sources: ['user_id:4712'], target: 'email:ada@example.org', dryRun: true },
        merge: {
          sources: ['user_id:4712'],
          target: 'email:ada@example.org',
          conflictPolicy: 'MOST_RESTRICTIVE',
          reason: 'same customer, ticket 4711',
        },
      },
    },
    answers: [
      {
        status: 200,
        description: 'Merged, or what would be.',
        contract: MergeResultDto,
        example: MERGE,
        headers: WRITTEN,
      },
    ],
    refusals: [...REF, 'merge_conflict', ...KEYED],
  },
  {
    ...BY_SECRET_KEY,
    id: 'revertMerge',
    roles: TO_DECIDE,
    method: 'POST',
    path: '/v1/subjects/merge/{mergeId}/revert',
    scope: 'subjects:write',
    subject: null,
    bodyLimit: 4 * KB,
    tag: 'Subjects',
    summary: 'Revert a merge',
    headers: [IDEMPOTENCY],
    pathParameters: { mergeId: { description: 'Id of the merge.', example: MERGE.mergeId } },
    description:
      'Each subject has its own history and state again. What was recorded since the merge stays with the survivor. A survivor that was itself merged since has to be released first.',
    body: { contract: RevertMergeDto, examples: { mistake: { reason: 'two people share the address' } } },
    answers: [
      {
        status: 200,
        description: 'Reverted, now or before.',
        contract: RevertResultDto,
        example: { mergeId: MERGE.mergeId, target: MERGE.target, restored: MERGE.merged, revertedAt: AT },
        headers: WRITTEN,
      },
    ],
    refusals: ['subject_not_found', ...KEYED],
  },
  {
    ...BY_SECRET_KEY,
    id: 'getSubject',
    roles: TO_READ_PERSONS,
    method: 'GET',
    path: '/v1/subjects/{ref}',
    scope: 'subjects:read',
    subject: REF_IN_PATH,
    tag: 'Subjects',
    summary: 'A subject and its identifiers',
    pathParameters: PATH,
    description:
      'Read from the event stream, so it never lags. By its id a merged subject shows its survivor in `mergedInto`, and an erased one the marker that is left.',
    answers: [{ status: 200, description: 'The subject.', contract: SubjectDto, example: SUBJECT }],
    refusals: ['subject_ref_invalid', 'identifier_kind_unknown', 'subject_not_found'],
  },
  LIST_SUBJECT_READS,
  {
    ...BY_SECRET_KEY,
    id: 'restrictSubject',
    roles: TO_DECIDE,
    method: 'POST',
    path: '/v1/subjects/{ref}/restrict',
    scope: 'subjects:write',
    subject: REF_IN_PATH,
    bodyLimit: 4 * KB,
    tag: 'Subjects',
    summary: 'Lay a legal hold on a subject',
    headers: [IDEMPOTENCY],
    pathParameters: PATH,
    description:
      'Restriction of processing (GDPR art. 18), or a hold for legal claims (art. 17(3)(e)): while it stands, erasing the subject is refused.',
    body: {
      contract: RestrictSubjectDto,
      examples: { litigation: { until: '2028-01-01T00:00:00.000Z', reason: 'litigation 12 O 34/26' } },
    },
    answers: [
      {
        status: 200,
        description: 'The subject.',
        contract: SubjectDto,
        example: { ...SUBJECT, state: 'RESTRICTED', restrictedUntil: '2028-01-01T00:00:00.000Z' },
        headers: WRITTEN,
      },
    ],
    refusals: [...REF, ...KEYED],
  },
  {
    ...BY_SECRET_KEY,
    id: 'liftRestriction',
    roles: TO_DECIDE,
    method: 'POST',
    path: '/v1/subjects/{ref}/lift-restriction',
    scope: 'subjects:write',
    subject: REF_IN_PATH,
    bodyLimit: 4 * KB,
    tag: 'Subjects',
    summary: 'Lift a legal hold',
    headers: [IDEMPOTENCY],
    pathParameters: PATH,
    description: 'Nothing changes where none stands.',
    body: { contract: LiftRestrictionDto, examples: { closed: { reason: 'case closed' } } },
    answers: [{ status: 200, description: 'The subject.', contract: SubjectDto, example: SUBJECT, headers: WRITTEN }],
    refusals: [...REF, ...KEYED],
  },
  {
    ...BY_SECRET_KEY,
    id: 'eraseSubject',
    roles: TO_DECIDE,
    method: 'POST',
    path: '/v1/subjects/{ref}/erase',
    scope: 'subjects:erase',
    subject: REF_IN_PATH,
    bodyLimit: 4 * KB,
    tag: 'Subjects',
    summary: 'Erase a subject',
    headers: [IDEMPOTENCY],
    pathParameters: PATH,
    description:
      'Destroys the key that makes the subject readable, its identifiers, rows, caches and waiting mails, and those of every subject merged into it. Decisions stay in the log as anonymous evidence. The same reference starts a new subject afterwards. Answered with a signed receipt; asking again by the id gives it again.',
    body: { contract: EraseSubjectDto, examples: { request: { reason: 'DATA_SUBJECT_REQUEST' } } },
    answers: [{ status: 200, description: 'Erased.', contract: ErasureReceiptDto, example: RECEIPT, headers: WRITTEN }],
    refusals: [...REF, ...KEYED],
  },
];
