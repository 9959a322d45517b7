import {
  BY_SECRET_KEY,
  KB,
  MB,
  LASTING_IDEMPOTENCY,
  REPLAYED,
  type DocumentedDeclaration,
  type OperationDeclaration,
} from '../access/index.js';
import { TO_DECIDE, TO_HELP_PERSONS, TO_LOOK, TO_READ_PERSONS, type RoleGrant } from '../context/roles.js';
import type { Contract } from '../http/contract/operation.js';
import { MOST_ITEMS } from '../commands/item-keys.js';
import { DataRequestCountsDto, DataRequestDto, DataRequestListDto, DataRequestPlanDto, IntakeDto } from './dto.js';
import { DATA_REQUEST_STATES } from './events.js';
import { DataRequestListQuery } from './list.dto.js';
import {
  AssignDataRequestDto,
  CancelDataRequestDto,
  CompleteDataRequestDto,
  ExtendDataRequestDto,
  HoldDataRequestDto,
  NoteDataRequestDto,
  OpenDataRequestDto,
  OpenDataRequestsDto,
  OPERATOR_ID,
  PlanDataRequestDto,
  RejectDataRequestDto,
  REQUEST_ID,
  VerifyDataRequestDto,
} from './request.dto.js';
import type { DataRequestView, ListedDataRequest } from './view.js';

const AT = '2026-11-21T12:00:00.000Z';
const LISTED: ListedDataRequest = {
  id: REQUEST_ID.example,
  object: 'data_request',
  subject: { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' },
  type: 'ACCESS',
  state: 'RECEIVED',
  regulation: 'GDPR',
  jurisdiction: { country: 'DE', region: null },
  receivedAt: AT,
  acknowledgeBy: null,
  dueAt: '2026-12-21T23:00:00.000Z',
  extendedDueAt: null,
  overdue: false,
  clock: { running: true, pausedSince: null },
  holdReason: null,
  verification: { status: 'PENDING', method: null, verifiedAt: null, expiresAt: null, reason: null },
  source: 'EMAIL',
  duplicateOf: null,
  reasonCode: null,
  completing: null,
  effect: null,
  closedAt: null,
  assignee: null,
  updatedAt: AT,
};
const REQUEST: DataRequestView = {
  ...LISTED,
  locale: 'de',
  details: 'Please send me everything since 2024.',
  corrections: [],
  requester: { type: 'SELF', name: null, email: 'ada@example.org', evidence: null },
  period: { rule: 'DE.always', dueDays: 1, unit: 'MONTHS', extensionDays: 2, clockStops: false },
  note: null,
  notes: [],
  history: [{ state: 'RECEIVED', at: AT }],
};
const VERIFIED = { status: 'VERIFIED', method: 'OPERATOR', verifiedAt: AT, expiresAt: null, reason: null } as const;
const WANTED = {
  subject: 'email:ada@example.org',
  type: 'ACCESS',
  jurisdiction: { country: 'DE' },
  source: 'EMAIL',
  locale: 'de',
  details: REQUEST.details,
  requester: { type: 'SELF', email: 'ada@example.org' },
};

const PATH = { id: { description: 'Id of the request.', example: REQUEST_ID.example } };
const POSITION = { 'X-Log-Position': 'Position of the change in the log; absent where nothing changed.', ...REPLAYED };
const AFTER = {
  name: 'X-Log-Position',
  description: 'As a write answered it: the answer reflects at least that write.',
  required: false,
  example: '42',
};
const TAG = 'Data requests';
const READ = { scope: 'requests:read' as const, roles: TO_READ_PERSONS, subject: null, tag: TAG };
const WRITE = {
  scope: 'requests:write' as const,
  roles: TO_HELP_PERSONS,
  subject: null,
  tag: TAG,
  headers: [LASTING_IDEMPOTENCY],
};
const NOT_FOUND = 'data_request_not_found';
const KEYED = ['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress'] as const;
const INTAKE = [
  'subject_ref_invalid',
  'identifier_kind_unknown',
  'subject_not_found',
  'subject_erased',
  'timestamp_in_future',
] as const;

interface Transition {
  name: string;
  /** Last segment of the path; the name unless said. */
  segment?: string;
  /** A repeat under another key, or none, does it again. */
  again?: true;
  summary: string;
  description: string;
  body?: { contract: Contract; examples: Record<string, unknown> };
  after: Partial<DataRequestView>;
  refusals?: readonly string[];
  roles?: readonly RoleGrant[];
}

/** What can be done with one request. */
const transition = ({
  name,
  segment = name,
  again,
  summary,
  description,
  body,
  after,
  refusals = [],
  roles,
}: Transition): DocumentedDeclaration => ({
  ...BY_SECRET_KEY,
  ...WRITE,
  ...(roles && { roles }),
  id: `${name}DataRequest`,
  method: 'POST',
  path: `/v1/data-requests/{id}/${segment}`,
  summary,
  description: again ? description : `${description} What is so already stays so: repeating it does no harm.`,
  pathParameters: PATH,
  ...(body && { bodyLimit: 64 * KB, body }),
  answers: [
    {
      status: 200,
      description: 'The request.',
      contract: DataRequestDto,
      example: { ...REQUEST, ...after },
      headers: POSITION,
    },
  ],
  refusals: [NOT_FOUND, 'state_conflict', 'subject_erased', 'validation_failed', ...KEYED, ...refusals],
});

const TRANSITIONS: readonly DocumentedDeclaration[] = [
  transition({
    name: 'verify',
    summary: 'Note that the subject sent it',
    description:
      'It is known now that the subject sent the request, or that the requester may act for the subject. Everything but the opt-outs needs that before it is worked on.',
    body: { contract: VerifyDataRequestDto, examples: { byOperator: {}, byDocument: { method: 'DOCUMENT' } } },
    after: { state: 'VERIFIED', verification: VERIFIED },
  }),
  transition({
    name: 'start',
    summary: 'Work on it',
    description: 'An operator works on the request from now on.',
    after: { state: 'IN_PROGRESS', verification: VERIFIED },
  }),
  transition({
    name: 'hold',
    summary: 'Let it wait',
    description:
      'The request waits. While it waits for the requester its period stands still, where the law of the place says so.',
    body: { contract: HoldDataRequestDto, examples: { requester: { reason: 'AWAITING_REQUESTER' } } },
    after: { state: 'ON_HOLD', verification: VERIFIED, holdReason: 'AWAITING_REQUESTER' },
  }),
  transition({
    name: 'resume',
    summary: 'Go on with it',
    description: 'The request waits no longer. Each day in which its period stood still is given back as a day.',
    after: { state: 'IN_PROGRESS', verification: VERIFIED },
  }),
  transition({
    name: 'extend',
    summary: 'Extend its period',
    description:
      'Once, by what the law of the place allows, and before the first period is over. The requester must learn why within the first period.',
    body: { contract: ExtendDataRequestDto, examples: { many: { note: 'Your request concerns many systems.' } } },
    after: { state: 'IN_PROGRESS', verification: VERIFIED, extendedDueAt: '2027-02-21T23:00:00.000Z' },
  }),
  transition({
    name: 'complete',
    roles: TO_DECIDE,
    summary: 'Complete it',
    description:
      'Does what the request is about, once, and closes it. ERASURE erases the subject with a receipt; a legal hold refuses. RESTRICTION lays a hold on the subject. OBJECTION, WITHDRAW_ALL and the opt-outs record the refusals in one go. RECTIFICATION puts right what the requester asked for, or what is sent instead: identifiers, country, language, preferences. `POST /v1/data-requests/{id}/plan` says before what that would come to.',
    body: {
      contract: CompleteDataRequestDto,
      examples: {
        done: {},
        partly: { outcome: 'PARTIALLY_COMPLETED', note: 'Invoices are kept for ten years.' },
        corrected: { corrections: [{ kind: 'email', value: 'ada@example.net', replaces: 'ada@example.org' }] },
      },
    },
    after: {
      type: 'ERASURE',
      state: 'COMPLETED',
      verification: VERIFIED,
      effect: { kind: 'ERASURE', receiptId: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S' },
      closedAt: AT,
    },
    refusals: ['identifier_conflict', 'identifier_kind_unknown', 'subject_ref_invalid', 'decision_not_allowed'],
  }),
  transition({
    name: 'reject',
    roles: TO_DECIDE,
    summary: 'Reject it',
    description: 'Closes the request with a reason. The requester must learn why, and where to complain.',
    body: { contract: RejectDataRequestDto, examples: { fraud: { reasonCode: 'SUSPECTED_FRAUD' } } },
    after: { state: 'REJECTED', reasonCode: 'SUSPECTED_FRAUD', closedAt: AT },
  }),
  transition({
    name: 'cancel',
    summary: 'Cancel it',
    description: 'Closes the request because the requester withdrew it, or because another one is answered instead.',
    body: {
      contract: CancelDataRequestDto,
      examples: { withdrawn: {}, duplicate: { duplicateOf: 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2T' } },
    },
    after: { state: 'CANCELED', reasonCode: 'WITHDRAWN_BY_REQUESTER', closedAt: AT },
  }),
  transition({
    name: 'assign',
    summary: 'Say which operator works on it',
    description:
      'The request is in the hands of that operator, or of none. Lists can be asked for those of one operator.',
    body: {
      contract: AssignDataRequestDto,
      examples: { taken: { assignee: OPERATOR_ID.example }, givenBack: { assignee: null } },
    },
    after: { assignee: OPERATOR_ID.example },
  }),
  transition({
    name: 'note',
    segment: 'notes',
    again: true,
    summary: 'Write something down about it',
    description:
      'Adds a note, also to a request that is closed; none is ever changed or taken away before the subject is erased. Operators and secret keys read it; no webhook, page or archive shows it. At most 200 for a request. Under an Idempotency-Key it is written down once.',
    body: { contract: NoteDataRequestDto, examples: { call: { text: 'Called, no answer.' } } },
    after: { notes: [{ at: AT, by: 'key_4Zt8nXq2LmPa', text: 'Called, no answer.' }] },
  }),
];

const OPEN: DocumentedDeclaration = {
  ...BY_SECRET_KEY,
  ...WRITE,
  id: 'openDataRequest',
  method: 'POST',
  path: '/v1/data-requests',
  bodyLimit: 64 * KB,
  summary: 'Open a data request',
  description:
    'Takes a request in. The law of the place sets its dates, as it is when the request comes in. Where a request of the same subject and type is open already, that one is answered with 200, and `duplicateOf` names it.',
  body: {
    contract: OpenDataRequestDto,
    examples: {
      access: WANTED,
      letter: { subject: 'user_id:4711', type: 'ERASURE', source: 'POST', receivedAt: '2026-11-18T09:00:00.000Z' },
      correction: {
        subject: 'email:ada@example.org',
        type: 'RECTIFICATION',
        corrections: [
          { kind: 'email', value: 'ada@example.net', replaces: 'ada@example.org' },
          { kind: 'country', value: 'AT' },
        ],
      },
      guardian: {
        subject: 'user_id:4712',
        type: 'ACCESS',
        requester: { type: 'GUARDIAN', name: 'Ada L.', evidence: 'custody decision 2024-8' },
      },
    },
  },
  answers: [
    { status: 201, description: 'The request.', contract: DataRequestDto, example: REQUEST, headers: POSITION },
    {
      status: 200,
      description: 'The one that is open already.',
      contract: DataRequestDto,
      example: { ...REQUEST, duplicateOf: REQUEST.id },
    },
  ],
  refusals: [...INTAKE, 'validation_failed', 'state_conflict', ...KEYED],
};

const tooMany = (input: unknown): string | null =>
  ((input as OpenDataRequestsDto | null)?.requests?.length ?? 0) > MOST_ITEMS
    ? `Send at most ${MOST_ITEMS} requests at once, and the others in further calls.`
    : null;

const OPEN_MANY: DocumentedDeclaration = {
  ...BY_SECRET_KEY,
  ...WRITE,
  id: 'openDataRequests',
  method: 'POST',
  path: '/v1/data-requests/batch',
  bodyLimit: 2 * MB,
  tooLarge: 'batch_too_large',
  oversized: tooMany,
  summary: 'Open up to 500 data requests',
  description:
    'Each is taken in for itself, with an outcome of its own; the call answers 200. Repeated under the same Idempotency-Key, each is opened once: those that were opened before are REPLAYED.',
  body: { contract: OpenDataRequestsDto, examples: { two: { requests: [WANTED, { ...WANTED, type: 'ERASURE' }] } } },
  answers: [
    {
      status: 200,
      description: 'What became of each.',
      contract: IntakeDto,
      example: {
        object: 'data_request_intake',
        summary: { total: 1, opened: 1, duplicates: 0, replayed: 0, rejected: 0 },
        results: [{ index: 0, status: 'OPENED', request: REQUEST }],
      },
      headers: { 'X-Log-Position': 'Position of the last request in the log; absent where none was opened.' },
    },
  ],
  refusals: ['validation_failed', 'batch_too_large', 'idempotency_key_invalid'],
};

const READS: readonly DocumentedDeclaration[] = [
  {
    ...BY_SECRET_KEY,
    ...READ,
    id: 'listDataRequests',
    method: 'GET',
    path: '/v1/data-requests',
    summary: 'Data requests',
    description: 'The queue, by due date unless asked otherwise. Without what people wrote, which each request shows.',
    headers: [AFTER],
    query: DataRequestListQuery,
    answers: [
      {
        status: 200,
        description: 'A page of requests.',
        contract: DataRequestListDto,
        example: { data: [LISTED], nextCursor: null, hasMore: false },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['validation_failed', 'subject_ref_invalid', 'identifier_kind_unknown'],
  },
  {
    ...BY_SECRET_KEY,
    ...READ,
    roles: TO_LOOK,
    id: 'countDataRequests',
    method: 'GET',
    path: '/v1/data-requests/counts',
    summary: 'How many data requests there are',
    description: 'In each state, and how many of the open ones are overdue, due soon, or in the hands of no operator.',
    headers: [AFTER],
    answers: [
      {
        status: 200,
        description: 'The counts.',
        contract: DataRequestCountsDto,
        example: {
          object: 'data_request_counts',
          states: Object.fromEntries(DATA_REQUEST_STATES.map((state) => [state, state === 'IN_PROGRESS' ? 3 : 0])),
          open: 3,
          overdue: 1,
          dueWithin7Days: 2,
          unassigned: 1,
        },
      },
    ],
    refusals: ['validation_failed'],
  },
  {
    ...BY_SECRET_KEY,
    ...READ,
    id: 'getDataRequest',
    method: 'GET',
    path: '/v1/data-requests/{id}',
    summary: 'One data request',
    description: 'All of it, with its history. Reflects every acknowledged write.',
    pathParameters: PATH,
    answers: [{ status: 200, description: 'The request.', contract: DataRequestDto, example: REQUEST }],
    refusals: [NOT_FOUND],
  },
];

const PLAN: DocumentedDeclaration = {
  ...BY_SECRET_KEY,
  ...READ,
  id: 'planDataRequest',
  method: 'POST',
  path: '/v1/data-requests/{id}/plan',
  summary: 'What completing it would do',
  description:
    'A dry run, which changes nothing: what would be erased, restricted, put right or recorded here if the request were completed now.',
  pathParameters: PATH,
  bodyLimit: 64 * KB,
  body: {
    contract: PlanDataRequestDto,
    optional: true,
    examples: { asAsked: {}, other: { corrections: [{ kind: 'country', value: 'AT' }] } },
  },
  answers: [
    {
      status: 200,
      description: 'What would be done.',
      contract: DataRequestPlanDto,
      example: {
        object: 'data_request_plan',
        id: REQUEST.id,
        type: 'WITHDRAW_ALL',
        kind: 'DECISIONS',
        decisions: [{ purpose: 'analytics', decision: 'WITHDRAWN' }],
        globalOptOut: true,
        corrections: [],
        refused: null,
      },
    },
  ],
  refusals: [NOT_FOUND, 'validation_failed', 'identifier_kind_unknown', 'subject_ref_invalid'],
};

export const DATA_REQUEST_OPERATIONS: readonly OperationDeclaration[] = [
  OPEN,
  OPEN_MANY,
  ...READS,
  PLAN,
  ...TRANSITIONS,
];
