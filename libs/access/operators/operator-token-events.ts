import type { OperatorRole } from '../../context/roles.js';
import { defineEvent } from '../../streams/codec.js';
import type { DomainEvent, Instant } from '../../kernel/index.js';

export type OperatorTokenIssued = DomainEvent<
  'OperatorTokenIssued',
  {
    /** `opt_` and 12 characters. */
    tokenId: string;
    name: string;
    /** SHA-256 of the secret, hex. */
    secretHash: string;
    last4: string;
    issuedAt: Instant;
    expiresAt: Instant | null;
    /** Null: issued before roles, by version 1. Such a token is ADMIN everywhere. */
    roles: readonly OperatorRole[] | null;
  }
>;

/** Stands right behind the OperatorTokenIssued of the successor, in the same append. */
export type OperatorTokenRotated = DomainEvent<
  'OperatorTokenRotated',
  { tokenId: string; successorId: string; expiresAt: Instant; at: Instant; reason: string | null }
>;

export type OperatorTokenRevoked = DomainEvent<
  'OperatorTokenRevoked',
  { tokenId: string; at: Instant; reason: string | null }
>;

/** What is null stays as it was. */
export type OperatorTokenChanged = DomainEvent<
  'OperatorTokenChanged',
  { tokenId: string; name: string | null; roles: readonly OperatorRole[] | null; at: Instant }
>;

export type OperatorTokenEvent =
  OperatorTokenIssued | OperatorTokenRotated | OperatorTokenRevoked | OperatorTokenChanged;

/** The stream of operators' tokens; one for the whole installation. */
export const OPERATOR_TOKENS_STREAM = 'operator-tokens';

export const OPERATOR_TOKEN_EVENTS = [
  defineEvent({
    type: 'OperatorTokenIssued',
    version: 2,
    personal: [],
    upcast: { 1: (data: object) => ({ ...data, roles: null }) },
  }),
  ...(
    [
      'OperatorTokenRotated',
      'OperatorTokenRevoked',
      'OperatorTokenChanged',
    ] as const satisfies readonly OperatorTokenEvent['type'][]
  ).map((type) => defineEvent({ type, version: 1, personal: [] })),
];
