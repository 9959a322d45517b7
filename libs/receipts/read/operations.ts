import { BY_ANYBODY, type OperationDeclaration } from '../../access/index.js';
import { KeySetDto } from './dto.js';

export const RECEIPT_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANYBODY,
    id: 'getKeySet',
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
];
