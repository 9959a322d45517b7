import { BY_PUBLIC_KEY, KB, type OperationDeclaration } from '../../access/index.js';
import { CODE_LIMIT } from '../pages/operations.js';
import { AskDto, AskedDto, EnterCodeDto } from './dto.js';

const HANDLE = 'pcd_Zm9yIHRoZSBkb2NzIG9ubH';
const AT = '2026-11-21T12:00:00.000Z';
const REQUEST = {
  id: 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  type: 'ACCESS',
  state: 'VERIFIED',
  regulation: 'GDPR',
  receivedAt: AT,
  acknowledgeBy: null,
  dueAt: '2026-12-21T23:00:00.000Z',
  extendedDueAt: null,
  duplicate: false,
};
const NO_STORE = { 'Cache-Control': 'Always `no-store`.' };

export const PORTAL_INTAKE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_PUBLIC_KEY,
    id: 'askOnPortal',
    method: 'POST',
    path: '/v1/data-requests/portal',
    scope: 'requests:write',
    subject: { in: 'body', name: 'subject', open: true },
    bodyLimit: 16 * KB,
    perAddress: CODE_LIMIT,
    tag: 'Data requests',
    summary: 'Make a request on a page',
    description:
      'For a page of yours. Opt-outs (`OPT_OUT_…`, `LIMIT_SENSITIVE`) take effect without proof. With an identity token or a portal token of the subject the request is opened at once. Everything else is opened when the code that is mailed to the address comes back, within ten minutes and five tries. Without a token no subject is looked up: the answer is the same, in body and time, whether or not the subject is known. One address gets 3 codes an hour and 10 a day.',
    headers: [
      {
        name: 'Idempotency-Key',
        description:
          'With a token: makes a repeat harmless, for ever. Without one it is not looked at: a repeated opt-out changes nothing, and a repeated request sends another code for the same one. 1 to 255 visible ASCII characters.',
        required: false,
        example: '5f0c3d1e-8a1b-4c59-9f4e-1f2a3b4c5d6e',
      },
    ],
    body: {
      contract: AskDto,
      examples: {
        access: { subject: 'email:ada@example.org', type: 'ACCESS', locale: 'de' },
        optOut: {
          subject: 'email:ada@example.org',
          type: 'OPT_OUT_SALE_SHARE',
          jurisdiction: { country: 'US', region: 'US-CA' },
        },
        byAgent: {
          subject: 'email:lin@example.org',
          type: 'ERASURE',
          requester: { type: 'AGENT', name: 'Grace', email: 'grace@agency.example', evidence: 'mandate 2026-17' },
        },
      },
    },
    answers: [
      {
        status: 202,
        description: 'Accepted, or a code is on its way.',
        contract: AskedDto,
        example: {
          object: 'portal_request',
          type: 'ACCESS',
          status: 'CODE_NEEDED',
          verification: { method: 'EMAIL_CODE', handle: HANDLE, expiresAt: '2026-11-21T12:10:00.000Z' },
          request: null,
        },
        headers: {
          ...NO_STORE,
          'X-Log-Position': 'With a token: position in the log; absent where nothing was written.',
          'Idempotent-Replayed': '`true` where this is the first answer again.',
        },
      },
    ],
    refusals: [
      'subject_ref_invalid',
      'identifier_kind_unknown',
      'subject_not_found',
      'subject_erased',
      'validation_failed',
      'state_conflict',
      'rate_limited',
    ],
  },
  {
    ...BY_PUBLIC_KEY,
    id: 'enterPortalCode',
    method: 'POST',
    path: '/v1/data-requests/portal/code',
    scope: 'requests:write',
    subject: null,
    bodyLimit: 4 * KB,
    perAddress: { perSecond: 1, burst: 50 },
    tag: 'Data requests',
    summary: 'Prove a request by its code',
    description:
      'Opens the request that a code was mailed for, and answers it; where one of its type is open already, that one. A code counts once. A wrong, foreign or used one is `token_invalid`; one that expired or was tried five times `token_expired`.',
    body: { contract: EnterCodeDto, examples: { code: { handle: HANDLE, code: '042137' } } },
    answers: [
      {
        status: 200,
        description: 'The request.',
        contract: AskedDto,
        example: { object: 'portal_request', type: 'ACCESS', status: 'ACCEPTED', verification: null, request: REQUEST },
        headers: { ...NO_STORE, 'X-Log-Position': 'Position in the log; absent where nothing was written.' },
      },
    ],
    refusals: ['token_invalid', 'token_expired', 'subject_erased', 'validation_failed', 'state_conflict'],
  },
];
