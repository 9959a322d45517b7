import { isDeepStrictEqual } from 'node:util';
import { ADMIN_EVERYWHERE, mayAt, TO_ADMINISTER, type OperatorRole } from '../../context/roles.js';
import {
  epochMs,
  happened,
  plusMs,
  refusal,
  type Decision,
  type Fold,
  type Instant,
  type Issue,
  type Refusal,
} from '../../kernel/index.js';
import { OVERLAPS_MS, type Overlap } from '../decide.js';
import type { OperatorTokenEvent, OperatorTokenIssued } from './operator-token-events.js';
import type { KeyCondition } from '../state.js';

/**
 * The token of the first start. The master key determines it, so it was never issued; it can be rotated and revoked
 * like others.
 */
export const FIRST_TOKEN_ID = 'opt_first';

export interface OperatorTokenState {
  tokenId: string;
  name: string;
  /** Null for the first token, which is stored nowhere. */
  secretHash: string | null;
  last4: string | null;
  issuedAt: Instant | null;
  /** Id of the issuing operator; null for the first token. */
  createdBy: string | null;
  expiresAt: Instant | null;
  roles: readonly OperatorRole[];
  /** Issued before roles, and ADMIN everywhere because of that. */
  beforeRoles: boolean;
  rotatedFrom: string | null;
  replacedBy: string | null;
  revokedAt: Instant | null;
}

/** By id, in the order of issue. */
export type OperatorTokensState = ReadonlyMap<string, OperatorTokenState>;

const FIRST: OperatorTokenState = {
  tokenId: FIRST_TOKEN_ID,
  name: 'first start',
  secretHash: null,
  last4: null,
  issuedAt: null,
  createdBy: null,
  expiresAt: null,
  roles: ADMIN_EVERYWHERE,
  beforeRoles: false,
  rotatedFrom: null,
  replacedBy: null,
  revokedAt: null,
};

export const operatorTokensFold: Fold<OperatorTokensState, OperatorTokenEvent & { metadata?: { actor: string } }> = {
  initial: () => new Map([[FIRST_TOKEN_ID, FIRST]]),
  evolve: (state, event) => {
    switch (event.type) {
      case 'OperatorTokenIssued':
        return new Map(state).set(event.data.tokenId, {
          ...event.data,
          roles: event.data.roles ?? ADMIN_EVERYWHERE,
          beforeRoles: event.data.roles === null,
          createdBy: event.metadata?.actor ?? null,
          rotatedFrom: null,
          replacedBy: null,
          revokedAt: null,
        });
      case 'OperatorTokenRotated': {
        const { tokenId, successorId, expiresAt } = event.data;
        const rotated = withToken(state, tokenId, { replacedBy: successorId, expiresAt });
        return withToken(rotated, successorId, { rotatedFrom: tokenId });
      }
      case 'OperatorTokenRevoked':
        return withToken(state, event.data.tokenId, { revokedAt: event.data.at });
      case 'OperatorTokenChanged': {
        const { tokenId, name, roles } = event.data;
        return withToken(state, tokenId, {
          ...(name !== null && { name }),
          ...(roles && { roles, beforeRoles: false }),
        });
      }
      default:
        // Do not skip an unknown event: that could keep a token alive that a newer release revoked.
        throw new Error(`The stream of operator tokens holds an unknown event "${(event as { type: string }).type}"`);
    }
  },
};

function withToken(
  state: OperatorTokensState,
  tokenId: string,
  changed: Partial<OperatorTokenState>,
): OperatorTokensState {
  const token = state.get(tokenId);
  return token ? new Map(state).set(tokenId, { ...token, ...changed }) : state;
}

export const conditionOfToken = ({ revokedAt, expiresAt }: OperatorTokenState, at: Instant): KeyCondition =>
  revokedAt !== null ? 'revoked' : expiresAt !== null && expiresAt <= at ? 'expired' : 'live';

/** How long a token works that is issued without a word about its end. */
export const TOKEN_DAYS = 90;

/** Most live tokens; each one is a way in. */
export const LIVE_TOKENS_MAX = 200;

export type OperatorTokenCommand =
  | { type: 'issue'; token: OperatorTokenIssued['data'] }
  | {
      type: 'rotate';
      tokenId: string;
      successor: Pick<OperatorTokenIssued['data'], 'tokenId' | 'secretHash' | 'last4'>;
      overlap: Overlap;
      at: Instant;
      reason: string | null;
    }
  | { type: 'change'; tokenId: string; name: string | null; roles: readonly OperatorRole[] | null; at: Instant }
  | { type: 'revoke'; tokenId: string; at: Instant; reason: string | null };

export function decideOperatorToken(
  command: OperatorTokenCommand,
  state: OperatorTokensState,
): Decision<OperatorTokenEvent> {
  switch (command.type) {
    case 'issue': {
      const { token } = command;
      const faults = faultsOf(token);
      if (faults.length > 0) return invalidToken(faults);
      return liveTokens(state, token.issuedAt) >= LIVE_TOKENS_MAX
        ? tooMany()
        : happened({ type: 'OperatorTokenIssued', data: token });
    }
    case 'rotate': {
      const { tokenId, successor, overlap, at, reason } = command;
      const token = state.get(tokenId);
      if (!token) return unknownToken();
      const condition = conditionOfToken(token, at);
      if (token.replacedBy !== null || condition !== 'live')
        return refusal(
          'state_conflict',
          `The token was ${token.replacedBy !== null ? 'rotated' : condition} already.`,
          'Rotate the one that took over, or issue another.',
        );
      if (overlap !== '0' && liveTokens(state, at) >= LIVE_TOKENS_MAX) return tooMany();
      const ends = plusMs(at, OVERLAPS_MS[overlap]);
      const expiresAt = token.expiresAt !== null && token.expiresAt < ends ? token.expiresAt : ends;
      return happened(
        {
          type: 'OperatorTokenIssued',
          data: {
            ...successor,
            name: token.name,
            issuedAt: at,
            expiresAt: token.expiresAt === null ? null : plusMs(at, termMs(token)),
            roles: token.beforeRoles ? null : token.roles,
          },
        },
        { type: 'OperatorTokenRotated', data: { tokenId, successorId: successor.tokenId, expiresAt, at, reason } },
      );
    }
    case 'change': {
      const { tokenId, name, roles, at } = command;
      const token = state.get(tokenId);
      if (!token) return unknownToken();
      if (tokenId === FIRST_TOKEN_ID) return firstStays();
      if (conditionOfToken(token, at) !== 'live') return endedToken();
      const newName = name === token.name ? null : name;
      const newRoles = roles && !token.beforeRoles && isDeepStrictEqual(roles, token.roles) ? null : roles;
      if (newName === null && newRoles === null) return happened();
      if (newRoles) {
        const faults = token.expiresAt === null ? faultsOfEndless(newRoles, 'roles') : [];
        if (faults.length > 0) return invalidToken(faults);
        if (!isWayIn({ ...token, roles: newRoles }) && !isWayInWithout(token, state, at)) return lastToken();
      }
      return happened({ type: 'OperatorTokenChanged', data: { tokenId, name: newName, roles: newRoles, at } });
    }
    case 'revoke': {
      const { tokenId, at, reason } = command;
      const token = state.get(tokenId);
      if (!token) return unknownToken();
      if (token.revokedAt !== null) return happened();
      return isWayInWithout(token, state, at)
        ? happened({ type: 'OperatorTokenRevoked', data: { tokenId, at, reason } })
        : lastToken();
    }
  }
}

const liveTokens = (state: OperatorTokensState, at: Instant): number =>
  [...state.values()].filter((token) => conditionOfToken(token, at) === 'live').length;

const EVERYWHERE = { site: '*', env: '*' } as const;

/** How long a token was issued for, in ms. Only for tokens with an end. */
const termMs = ({ issuedAt, expiresAt }: OperatorTokenState): number => epochMs(expiresAt!) - epochMs(issuedAt!);

/** Whether it is sure to open everything at any time. */
const isWayIn = ({ expiresAt, roles }: OperatorTokenState): boolean =>
  expiresAt === null && mayAt(roles, TO_ADMINISTER, EVERYWHERE);

const isWayInWithout = (token: OperatorTokenState, state: OperatorTokensState, at: Instant): boolean =>
  [...state.values()].some((other) => other !== token && conditionOfToken(other, at) === 'live' && isWayIn(other));

const faultsOfEndless = (roles: readonly OperatorRole[] | null, path: string): Issue[] =>
  roles?.some(({ role }) => role === 'ADMIN')
    ? []
    : [{ path, message: 'only a token with the role ADMIN may be without an end: name a time' }];

function faultsOf({ expiresAt, issuedAt, roles }: OperatorTokenIssued['data']): Issue[] {
  if (expiresAt === null) return faultsOfEndless(roles, 'expiresAt');
  return expiresAt <= issuedAt ? [{ path: 'expiresAt', message: 'must be in the future' }] : [];
}

const invalidToken = (issues: Issue[]): Refusal =>
  refusal('validation_failed', 'The input is not valid.', 'Correct the fields named in issues.', issues);
const tooMany = (): Refusal =>
  refusal('state_conflict', `There are ${LIVE_TOKENS_MAX} live tokens.`, 'Revoke tokens that are no longer used.');
const firstStays = (): Refusal =>
  refusal(
    'state_conflict',
    'The token of the first start is ADMIN everywhere and stays the way in.',
    'Issue another token with the roles that are needed.',
  );
const endedToken = (): Refusal =>
  refusal('state_conflict', 'The operator has ended.', 'Issue another token with the roles that are needed.');
const lastToken = (): Refusal =>
  refusal(
    'state_conflict',
    'Without this token no operator could be sure to act any more.',
    'Issue another one with ADMIN everywhere and without an end first, or rotate this one.',
  );
export const unknownToken = (): Refusal =>
  refusal('operator_token_not_found', 'There is no such token.', 'List the tokens and send one of their ids.', [
    { path: 'id', message: 'names no token' },
  ]);
