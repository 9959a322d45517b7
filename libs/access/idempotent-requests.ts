import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { DoneBy, KeyOfEvents } from '../streams/append-once.js';
import { BEGINNING_OF_TIME, isRefusal, type Position, type RandomBytes, type Refusal } from '../kernel/index.js';
import type { Caller } from '../http/caller.js';
import { parseIdempotencyKey } from '../http/idempotency-key.js';
import { formatPosition, LOG_POSITION_HEADER } from '../http/position.js';
import { keyScopeOf } from '../commands/key-scope.js';
import { once, type Done, type Repeatable } from '../commands/once.js';
import { IdempotencyReservations, type RequestKey } from '../commands/reservations.js';
import { MasterKey } from '../vault/master-key.js';

/** The Idempotency-Key of a request that sets something up, as what is done under it notes it. */
export interface IdempotencyKey extends RequestKey, KeyOfEvents {
  /** The same bytes at every repeat, so that what is minted under the key is the same again without being stored. */
  random: RandomBytes;
}

/** An operator by the token that was shown, somebody of a site by the key. */
export const actorOf = ({ kind, keyId }: Pick<Caller, 'kind' | 'keyId'>): string =>
  kind === 'operator' ? `operator:${keyId}` : (keyId ?? kind);

/** Who does something, for the metadata of the events that tell of it. */
export type ChangedBy = DoneBy<IdempotencyKey>;

/** A request to change something, and what it is answered with. */
export interface IdempotentCall {
  caller: Caller;
  input: unknown;
  request: Request;
  response: Response;
}

/** How a change is carried out, and how its first answer is found again. */
export interface IdempotentChange<T> {
  /** Whether the log holds what was done under the key. */
  isDone: (key: IdempotencyKey) => Promise<boolean>;
  /** Does it, or gives what was done under the key before. `position`: null where nothing was there to change. */
  carryOut: (by: ChangedBy) => Promise<T | Refusal>;
  /** Whether it wrote anything: what did not is not remembered. Default: it has a position. */
  wrote?: (done: T) => boolean;
}

/** How an operation is carried out, and how its first answer is found again. */
export interface IdempotentWork<T> {
  /** Whether the log holds what was done under the key. */
  isDone: (key: IdempotencyKey) => Promise<boolean>;
  /** Does it, or gives what was done under the key before. */
  carryOut: (key: IdempotencyKey | null) => Promise<Done<T> | Refusal>;
}

/**
 * Carries out what operators ask for at most once under their Idempotency-Key, and what is set up with secret keys likewise.
 * The keys of operators have a scope of their own in each site: those of secret keys cannot collide with them.
 */
@Injectable()
export class IdempotentRequests {
  constructor(
    private readonly reservations: IdempotencyReservations,
    private readonly master: MasterKey,
  ) {}

  /** Throws Refused. */
  async once<T>(request: Request, caller: Caller, input: unknown, work: IdempotentWork<T>): Promise<Repeatable<T>> {
    const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key']);
    const fingerprint = this.reservations.fingerprintOf(request.method, request.path, input);
    return once(this.reservations, {
      scope: keyScopeOf(caller, []),
      idempotencyKey,
      fingerprint,
      subjects: [],
      replay: async (digest) => {
        const key = await this.keyOf({ digest, fingerprint });
        if (!(await work.isDone(key))) return null;
        return work.carryOut(key);
      },
      carryOut: async (digest) => work.carryOut(digest === null ? null : await this.keyOf({ digest, fingerprint })),
    });
  }

  /** Changes something at most once under the key of the request, and says in the headers where that stands. Throws Refused. */
  async change<T extends { position: Position | null }>(
    { caller, input, request, response }: IdempotentCall,
    { isDone, carryOut, wrote = ({ position }) => position !== null }: IdempotentChange<T>,
  ): Promise<T> {
    const { answer, replayed } = await this.once<T>(request, caller, input, {
      isDone,
      carryOut: async (key) => {
        const done = await carryOut({ actor: actorOf(caller), requestId: caller.requestId, key });
        return isRefusal(done) ? done : { answer: done, position: wrote(done) ? done.position : null };
      },
    });
    tellOfChange(response, { position: answer.position, replayed });
    return answer;
  }

  private async keyOf({ digest, fingerprint }: RequestKey): Promise<IdempotencyKey> {
    const window = (await this.reservations.windowsOf([digest])).get(digest) ?? { since: BEGINNING_OF_TIME };
    return { digest, fingerprint, search: { digests: [digest], ...window }, random: this.master.bytesUnder(digest) };
  }
}

/** Says in the headers where a change stands, and whether this is the first answer again. */
export function tellOfChange(
  response: Response,
  { position, replayed }: Pick<Repeatable<unknown>, 'position' | 'replayed'>,
): void {
  if (position !== null) response.setHeader(LOG_POSITION_HEADER, formatPosition(position));
  if (replayed) response.setHeader('Idempotent-Replayed', 'true');
}

/** For the documentation of an operation that takes one. */
export const LASTING_IDEMPOTENCY = {
  name: 'Idempotency-Key',
  description:
    'Makes a repeat harmless, for ever: the same key and body give the first answer again, with `Idempotent-Replayed: true`. What changed nothing is not remembered. 1 to 255 visible ASCII characters.',
  required: false,
  example: '5f0c3d1e-8a1b-4c59-9f4e-1f2a3b4c5d6e',
};
export const REPLAYED = { 'Idempotent-Replayed': '`true` where this is the first answer again.' };
