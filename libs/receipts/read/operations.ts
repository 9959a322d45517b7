import { BY_ANY_KEY, BY_ANYBODY, type OperationDeclaration } from '../../access/index.js';
import { KeySetDto, ReceiptDto, ReceiptQuery } from './dto.js';
import { TO_READ_PERSONS } from '../../context/roles.js';

const AT = '2026-11-21T12:00:00.000Z';
const RECEIPT = {
  receipt: {
    schema: 'urn:consent-receipt:1',
    id: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    record: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
    issuer: 'urn:assent:site:shop',
    site: 'shop',
    environment: 'live',
    subject: { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T' },
    controllers: [{ name: 'Shop Example GmbH', contact: 'privacy@shop.example' }],
    jurisdiction: { country: 'DE', region: null, source: 'DETECTED' },
    event: {
      type: 'consent',
      at: AT,
      recordedAt: AT,
      validUntil: '2027-11-21T12:00:00.000Z',
      method: 'SAVE_CHOICES',
      surface: 'BANNER',
      source: 'API',
      actor: 'SUBJECT',
    },
    purposes: [
      {
        key: 'analytics',
        version: 1,
        legalBasis: 'CONSENT',
        dataCategories: [{ key: 'usage', sensitive: false }],
        recipients: [{ name: 'Example Analytics Ltd', role: 'PROCESSOR', country: 'IE' }],
        retention: 'P14M',
        decision: 'GRANTED',
        previousState: 'NOT_COLLECTED',
        state: 'GRANTED',
        applied: true,
        previousReceipt: null,
      },
    ],
    preferences: [],
    vendors: [],
    gpc: null,
    notice: {
      hash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      language: 'de',
      url: '/v1/purposes/analytics/versions/1?locale=de',
    },
    evidence: [],
    withdrawal: { method: 'POST', url: '/v1/consent' },
  },
  jws: 'eyJhbGciOiJFZERTQSJ9.e30.AAAA',
  subjectErasedAt: null,
};

export const RECEIPT_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANYBODY,
    id: 'getKeySet',
    anyOrigin: true,
    path: '/.well-known/jwks.json',
    tag: 'Receipts',
    summary: 'Keys that verify receipts',
    description:
      'JSON Web Key Set (RFC 7517) with the Ed25519 keys of both environments. Fetch it once, keep it beside the receipts, and verify offline. The keys name no `alg`: take `EdDSA` and `Ed25519`. Readable from every origin, without a key.',
    headers: [
      {
        name: 'If-None-Match',
        description: 'ETag of the answer at hand; a list or `*`.',
        required: false,
        example: 'W/"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"',
      },
    ],
    answers: [
      {
        status: 200,
        description: 'The key set.',
        contract: KeySetDto,
        mediaType: 'application/jwk-set+json',
        example: {
          keys: [
            {
              kty: 'OKP',
              crv: 'Ed25519',
              x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
              kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
              use: 'sig',
            },
          ],
        },
        headers: { ETag: 'Weak tag of this answer.' },
      },
      { status: 304, description: 'The answer at hand is current.', headers: { ETag: 'Its tag.' } },
    ],
    refusals: [],
  },
  {
    ...BY_ANY_KEY,
    id: 'getReceipt',
    roles: TO_READ_PERSONS,
    method: 'GET',
    path: '/v1/receipts/{id}',
    scope: 'receipts:read',
    subject: { in: 'identity' },
    byCapability: 'token',
    alsoAnswers: ['application/jose'],
    tag: 'Receipts',
    summary: 'One signed receipt',
    description:
      'The receipt of a consent record, a preference record, a confirmation or an erasure, made from the log: the same bytes whenever it is asked for, signed by the key that was in force when the record was made. With a secret key; with a public key and an identity token of the person whose record it is; or with the capability from the answer to the write, without any key and from every origin. `Accept: application/jose` answers the bare JWS.',
    pathParameters: {
      id: { description: 'The `receiptId` of the record.', example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S' },
    },
    query: ReceiptQuery,
    headers: [
      {
        name: 'X-Log-Position',
        description: 'As the write answered it: the answer reflects at least that.',
        required: false,
        example: '42',
      },
    ],
    answers: [
      { status: 200, description: 'The receipt.', contract: ReceiptDto, example: RECEIPT },
      { status: 200, description: 'The bare JWS.', mediaType: 'application/jose' },
    ],
    refusals: ['receipt_not_found', 'identity_token_required', 'validation_failed'],
  },
];
