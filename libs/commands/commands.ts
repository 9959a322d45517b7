import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  BEGINNING_OF_TIME,
  isRefusal,
  type DomainEvent,
  type Position,
  type RandomBytes,
  type Refusal,
} from '../kernel/index.js';
import type { Caller } from '../http/caller.js';
import { parseIdempotencyKey } from '../http/idempotency-key.js';
import { formatPosition, LOG_POSITION_HEADER } from '../http/position.js';
import { MasterKey } from '../vault/master-key.js';
import { NOT_DONE, type DoneBy, type HeldKey } from './decide-on-stream.js';
import type { EventCause } from './event-metadata.js';
import { keyScopeOf } from './key-scope.js';
import { once, type Done, type Repeatable } from './once.js';
import { IdempotencyReservations } from './reservations.js';

/** The Idempotency-Key of a request that sets something up. */
export interface SetUpKey extends HeldKey {
  /** The same bytes at every repeat, so that what is minted under the key is the same again without being stored. */
  random: RandomBytes;
}

/** Who sets something up, for the metadata of the events that say so. */
export type ChangedBy = DoneBy<SetUpKey>;

/** A request to change something, and what it is answered with. */
export interface IdempotentCall {
  caller: Caller;
  /** The body, held against its contract. */
  input: unknown;
  request: Request;
  response: Response;
}

/** What was changed. */
export interface Changed {
  /** What was done, now or under the same key before. Where nothing was there to do, the key is not remembered. */
  events: readonly DomainEvent[];
  /** How far one must have read to see it; null where there is nothing to see. */
  position: Position | null;
}

/** An operator by the token that was shown, a caller of a site by the key. */
export const actorOf = ({ kind, keyId }: Pick<Caller, 'kind' | 'keyId'>): string =>
  kind === 'operator' ? `operator:${keyId}` : (keyId ?? kind);

/** Who a caller is, for the metadata of the events that the request causes. */
export const byCaller = (
  caller: Pick<Caller, 'kind' | 'keyId' | 'requestId' | 'session'>,
): Pick<EventCause, 'actor' | 'requestId' | 'session'> => ({
  actor: actorOf(caller),
  requestId: caller.requestId,
  ...(caller.session !== undefined && { session: caller.session }),
});

/**
 * Carries out what is set up over HTTP, each on one stream and at most once under the Idempotency-Key of its request. The
 * keys of operators have a scope of their own in each site: those of secret keys cannot collide with them.
 */
@Injectable()
export class Commands {
  constructor(
    private readonly reservations: IdempotencyReservations,
    private readonly master: MasterKey,
  ) {}

  /**
   * `carryOut` decides by `decideOnce`, which answers what was done under the key before. Says in the headers where the
   * change stands. Throws Refused.
   */
  async change<T extends Changed>(
    { caller, input, request, response }: IdempotentCall,
    carryOut: (by: ChangedBy) => Promise<T | Refusal>,
  ): Promise<T> {
    const fingerprint = this.reservations.fingerprintOf(request.method, request.path, input);
    const under = async (digest: string | null, onlyRepeats: boolean): Promise<Done<T> | Refusal> => {
      const key = digest === null ? null : { fingerprint, onlyRepeats, ...(await this.held(digest)) };
      const done = await carryOut({ ...byCaller(caller), key });
      return isRefusal(done) ? done : { answer: done, position: done.events.length > 0 ? done.position : null };
    };
    const { answer, replayed } = await once<T>(this.reservations, {
      scope: keyScopeOf(caller, []),
      idempotencyKey: parseIdempotencyKey(request.headers['idempotency-key']),
      fingerprint,
      subjects: [],
      replay: async (digest) => {
        const done = await under(digest, true);
        return done === NOT_DONE ? null : done;
      },
      carryOut: (digest) => under(digest, false),
    });
    tellOfChange(response, { position: answer.position, replayed });
    return answer;
  }

  private async held(digest: string): Promise<Omit<SetUpKey, 'fingerprint'>> {
    const window = (await this.reservations.windowsOf([digest])).get(digest) ?? { since: BEGINNING_OF_TIME };
    return { digest, search: { digests: [digest], ...window }, random: this.master.bytesUnder(digest) };
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
