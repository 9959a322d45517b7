import { BY_OPERATOR, KB, LASTING_IDEMPOTENCY, REPLAYED, type OperationDeclaration } from '../../access/index.js';
import { TO_ADMINISTER, TO_LOOK } from '../../context/roles.js';
import { AnnouncedKeyDto, RevokedKeyDto, RevokeSigningKeyDto, RotateSigningKeyDto, SigningKeyListDto } from './dto.js';

const [TODAY, TOMORROW] = ['2026-11-21T12:00:00.000Z', '2026-11-22T12:00:00.000Z'];
const KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const KEY = { kid: KID, env: 'live', announcedAt: TODAY, signsFrom: TOMORROW };
const POSITION = { 'X-Log-Position': 'Position of the change in the log.', ...REPLAYED };
const OPERATION = { ...BY_OPERATOR, tag: 'Operator' } as const;
const REFUSALS = ['validation_failed', 'state_conflict'];

export const SIGNING_KEY_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...OPERATION,
    id: 'listSigningKeys',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/signing-keys',
    summary: 'Keys that sign receipts',
    description:
      'Every key that signs, signed or will sign the receipts of this installation: since when and until when, and whether it is compromised. With the public halves, so that an operator can verify receipts. Nothing here is secret.',
    answers: [
      {
        status: 200,
        description: 'All keys.',
        contract: SigningKeyListDto,
        example: {
          data: [
            {
              ...KEY,
              x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
              state: 'PUBLISHED',
              signsUntil: null,
              revokedAt: null,
            },
          ],
          nextCursor: null,
          hasMore: false,
        },
      },
    ],
    refusals: [],
  },
  {
    ...OPERATION,
    id: 'rotateSigningKey',
    roles: TO_ADMINISTER,
    method: 'POST',
    path: '/admin/v1/signing-keys/rotate',
    bodyLimit: 4 * KB,
    summary: 'Rotate a key that signs receipts',
    description:
      'Makes the successor of the key that signs the receipts of one environment, for all sites. The key set has it at once; it signs what is recorded from a day later on. What was recorded before keeps its receipt, to the byte, and the older keys stay in the key set.',
    headers: [LASTING_IDEMPOTENCY],
    body: { contract: RotateSigningKeyDto, examples: { yearly: { env: 'live', reason: 'yearly' } } },
    answers: [
      { status: 201, description: 'The successor.', contract: AnnouncedKeyDto, example: KEY, headers: POSITION },
    ],
    refusals: REFUSALS,
  },
  {
    ...OPERATION,
    id: 'revokeSigningKey',
    roles: TO_ADMINISTER,
    method: 'POST',
    path: '/admin/v1/signing-keys/{kid}/revoke',
    bodyLimit: 4 * KB,
    summary: 'Mark a key that signs receipts as compromised',
    description:
      'The key stays in the key set, with `revokedAt`: a verifier of a receipt by this key sees it there. Where it is the one that signs, its successor signs what is recorded from ten seconds later on. Revoked again, it stays revoked since the first time.',
    pathParameters: { kid: { description: 'Id of the key, as in the key set.', example: KID } },
    headers: [LASTING_IDEMPOTENCY],
    body: { contract: RevokeSigningKeyDto, examples: { leaked: { reason: 'leaked' } } },
    answers: [
      {
        status: 200,
        description: 'The key.',
        contract: RevokedKeyDto,
        example: {
          kid: KID,
          env: 'live',
          revokedAt: TODAY,
          successor: { ...KEY, signsFrom: '2026-11-21T12:00:10.000Z' },
        },
        headers: POSITION,
      },
    ],
    refusals: [...REFUSALS, 'key_not_found'],
  },
];
