import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { OperatorRole } from '../../context/roles.js';
import { decideOnce } from '../../commands/decide-on-stream.js';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { Stream } from '../../streams/stream.js';
import {
  fold,
  isRefusal,
  plusMs,
  refusal,
  systemClock,
  type Clock,
  type Instant,
  type Position,
  type RandomBytes,
  type Refusal,
} from '../../kernel/index.js';
import { hashOfSecret, isSecret, lastFour, mintOperatorToken, parseOperatorToken } from '../callers/api-key.js';
import type { KnownOperator } from '../callers/authenticate.js';
import type { Overlap } from '../decide.js';
import { OPERATOR_TOKEN_EVENTS, OPERATOR_TOKENS_STREAM, type OperatorTokenEvent } from './operator-token-events.js';
import {
  conditionOfToken,
  decideOperatorToken,
  FIRST_TOKEN_ID,
  operatorTokensFold,
  TOKEN_DAYS,
  type OperatorTokenCommand,
  type OperatorTokensState,
} from './operator-token-state.js';
import type { ChangedBy } from '../../commands/commands.js';

/** `text`: the token itself, after an issue or a rotation. It is stored nowhere. */
export interface TokensDone {
  refused: false;
  state: OperatorTokensState;
  /** Null if there was nothing to change. */
  position: Position | null;
  events: readonly OperatorTokenEvent[];
  tokenId: string;
  text: string | null;
}

const HASH_OF_NO_TOKEN = hash('sha256', 'no token has this secret', 'hex');

/**
 * The operators' tokens: one stream, read up to its newest event whenever a caller presents a token. Operators are few,
 * so that costs less than following the stream would, and a revocation takes effect everywhere at once.
 */
export class OperatorTokens {
  private readonly streams: Stream<OperatorTokensState, OperatorTokenEvent>;
  private readonly first: Buffer;
  /** How often the token of the first start was accepted in this process. */
  firstUses = 0;

  constructor(
    log: EventLog,
    /** The token of the first start, which the master key determines. */
    firstToken: string,
    private readonly clock: Clock = systemClock,
    private readonly random: RandomBytes = randomBytes,
  ) {
    this.first = hash('sha256', firstToken, 'buffer');
    this.streams = new Stream(log, new Codec(OPERATOR_TOKEN_EVENTS), {
      ...operatorTokensFold,
      contended: () => refusal('state_conflict', 'Others are changing tokens at the same time.', 'Try again.'),
    });
  }

  /**
   * The operator of a token that works, or null. Compares secrets in constant time; an unknown id costs the same comparison
   * as a known one. Rejects with LogUnavailable if the log cannot be read.
   */
  async verify(presented: string): Promise<KnownOperator | null> {
    const parsed = parseOperatorToken(presented);
    const isFirst = timingSafeEqual(hash('sha256', presented, 'buffer'), this.first);
    // A text that is no token at all costs no read of the log.
    if (!parsed && !isFirst) return null;
    const state = await this.state();
    const token = state.get(isFirst ? FIRST_TOKEN_ID : parsed!.id);
    const isRight = isFirst || isSecret(parsed!.secret, token?.secretHash ?? HASH_OF_NO_TOKEN);
    if (!token || !isRight || conditionOfToken(token, this.clock()) !== 'live') return null;
    if (isFirst) this.firstUses++;
    return { id: token.tokenId, roles: token.roles };
  }

  async state(): Promise<OperatorTokensState> {
    return (await this.streams.load(OPERATOR_TOKENS_STREAM)).state;
  }

  /** Without `expiresAt` the token ends after 90 days; null: never. */
  issue(
    {
      name,
      roles,
      expiresAt,
    }: { name: string; roles: readonly OperatorRole[]; expiresAt?: Instant | null | undefined },
    by: ChangedBy,
  ): Promise<TokensDone | Refusal> {
    const { text, stored } = this.mint(by);
    const issuedAt = this.clock();
    const ends = expiresAt === undefined ? plusMs(issuedAt, TOKEN_DAYS * 86_400_000) : expiresAt;
    const token = { ...stored, name, issuedAt, expiresAt: ends, roles };
    return this.carryOut({ type: 'issue', token }, stored.tokenId, text, by);
  }

  /** Issues the successor of a token; the token itself works until the overlap ends. */
  rotate(tokenId: string, overlap: Overlap, reason: string | null, by: ChangedBy): Promise<TokensDone | Refusal> {
    const { text, stored } = this.mint(by);
    const command = { type: 'rotate', tokenId, successor: stored, overlap, at: this.clock(), reason } as const;
    return this.carryOut(command, stored.tokenId, text, by);
  }

  /** Changes name or roles; what is left out stays. */
  change(
    tokenId: string,
    { name = null, roles = null }: { name?: string | null; roles?: readonly OperatorRole[] | null },
    by: ChangedBy,
  ): Promise<TokensDone | Refusal> {
    return this.carryOut({ type: 'change', tokenId, name, roles, at: this.clock() }, tokenId, null, by);
  }

  revoke(tokenId: string, reason: string | null, by: ChangedBy): Promise<TokensDone | Refusal> {
    return this.carryOut({ type: 'revoke', tokenId, at: this.clock(), reason }, tokenId, null, by);
  }

  private mint({ key }: ChangedBy): { text: string; stored: { tokenId: string; secretHash: string; last4: string } } {
    const token = mintOperatorToken(key?.random ?? this.random);
    const stored = { tokenId: token.id, secretHash: hashOfSecret(token.secret), last4: lastFour(token) };
    return { text: token.text, stored };
  }

  /** Does it, or tells what was done under the key of the request before. */
  private async carryOut(
    command: OperatorTokenCommand,
    tokenId: string,
    text: string | null,
    by: ChangedBy,
  ): Promise<TokensDone | Refusal> {
    const done = await decideOnce(this.streams, {
      ...{ stream: OPERATOR_TOKENS_STREAM, by, clock: this.clock },
      decide: (state) => decideOperatorToken(command, state),
    });
    if (isRefusal(done)) return done;
    const { before, events, position } = done;
    return { refused: false, state: fold(operatorTokensFold, events, before), position, events, tokenId, text };
  }
}
