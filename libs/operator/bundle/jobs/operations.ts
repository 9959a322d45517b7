import { BY_OPERATOR, KB, type OperationDeclaration } from '../../../access/index.js';
import { TO_AUDIT } from '../../../context/roles.js';
import { AskAuditBundleDto, AuditBundleDto, AuditBundleListDto } from './dto.js';

const AT = '2026-11-21T12:00:00.000Z';
const BUNDLE = {
  object: 'audit_bundle',
  id: 'abn_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  state: 'READY',
  progress: 1,
  subjectId: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T',
  since: null,
  through: null,
  askedBy: 'opt_4Zt8nXq2LmPa',
  askedAt: AT,
  finishedAt: '2026-11-21T12:00:03.000Z',
  expiresAt: '2026-11-28T12:00:03.000Z',
  records: 12,
  receipts: 9,
  bytes: 204_800,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  problem: null,
};
const SCOPE = {
  site: { description: 'Site.', example: 'demo' },
  env: { description: '`test` or `live`.', example: 'test' },
};
const PATH = { ...SCOPE, id: { description: 'Id of the bundle.', example: BUNDLE.id } };
const BUNDLES = '/admin/v1/sites/{site}/{env}/audit-bundles';
const OPERATION = { ...BY_OPERATOR, roles: TO_AUDIT, tag: 'Operator' } as const;
const NOT_FOUND = 'audit_bundle_not_found';

export const BUNDLE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...OPERATION,
    id: 'askAuditBundle',
    method: 'POST',
    path: BUNDLES,
    bodyLimit: 4 * KB,
    summary: 'Ask for an archive for an auditor',
    description:
      'Records, texts that were shown, receipts, keys, rules, proofs of the ledger, a page to read, and a verifier that needs nothing but Node.js, about one subject or about all that was recorded from a time on. People stay pseudonyms: with personal fields in clear `assent audit bundle` makes it. A dispatcher makes one at a time; at most five wait. The same question asked again while the first waits is that one. Counts as a read of the subject by the operator.',
    pathParameters: SCOPE,
    body: {
      contract: AskAuditBundleDto,
      examples: { year: { since: AT }, person: { subject: 'email:ada@example.org' } },
    },
    answers: [
      {
        status: 202,
        description: 'It will be made.',
        contract: AuditBundleDto,
        example: {
          ...BUNDLE,
          ...{ state: 'QUEUED', progress: 0, finishedAt: null, expiresAt: null },
          ...{ records: null, receipts: null, bytes: null, sha256: null },
        },
      },
    ],
    refusals: ['route_not_found', 'validation_failed', 'subject_ref_invalid', 'subject_not_found', 'state_conflict'],
  },
  {
    ...OPERATION,
    id: 'listAuditBundles',
    method: 'GET',
    path: BUNDLES,
    summary: 'Archives for auditors',
    description: 'The newest first, at most a hundred. Each is kept for seven days.',
    pathParameters: SCOPE,
    answers: [{ status: 200, description: 'The bundles.', contract: AuditBundleListDto, example: { data: [BUNDLE] } }],
    refusals: ['route_not_found'],
  },
  {
    ...OPERATION,
    id: 'getAuditBundle',
    method: 'GET',
    path: `${BUNDLES}/{id}`,
    summary: 'One archive for an auditor',
    description: 'How far it is.',
    pathParameters: PATH,
    answers: [{ status: 200, description: 'The bundle.', contract: AuditBundleDto, example: BUNDLE }],
    refusals: ['route_not_found', NOT_FOUND],
  },
  {
    ...OPERATION,
    id: 'downloadAuditBundle',
    method: 'GET',
    path: `${BUNDLES}/{id}/download`,
    alsoAnswers: ['application/zip'],
    summary: 'Fetch an archive for an auditor',
    description:
      'The file, once it is READY. Unpack it and run `node verify.mjs`. Counts as a read of the subject by the operator.',
    pathParameters: PATH,
    answers: [{ status: 200, description: 'The archive.', mediaType: 'application/zip' }],
    refusals: ['route_not_found', NOT_FOUND, 'state_conflict'],
  },
];
