import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { OperatorKey } from '../../access/index.js';
import type { Happened, Stream } from '../../event-log/stream.js';
import {
  CLOCK,
  fold,
  isId,
  isRefusal,
  uuidV5,
  type Clock,
  type DomainEvent,
  type Position,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { Vault } from '../../platform/vault/vault.js';
import { decideRequest, type RequestCommand } from '../decide.js';
import type { DataRequestEvent } from '../events.js';
import { dataRequestRefusals } from '../refusals.js';
import { requestFold, requestStream, type DataRequest, type RequestState } from '../state.js';
import { REQUEST_STREAMS } from '../tokens.js';

/** Who does it, for the metadata of the events. */
export interface DoneBy {
  actor: string;
  requestId?: string;
  key?: OperatorKey | null;
}

/** `events`: what was done, now or under the same key before; none where nothing was there to do. */
export interface RequestDone {
  refused: false;
  /** Right afterwards. */
  request: DataRequest;
  events: readonly Happened<DomainEvent>[];
  /** Of the last event; null where there is none. */
  position: Position | null;
}

/** Changes requests that were received. Everything rejects with LogUnavailable where the log cannot be reached. */
@Injectable()
export class RequestChanges {
  constructor(
    @Inject(REQUEST_STREAMS) private readonly streams: Stream<RequestState, DataRequestEvent>,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether something stands under the key of a call. */
  async isDone(scope: Scope, requestId: string, { digest, search }: OperatorKey): Promise<boolean> {
    if (!isId('dsr', requestId)) return false;
    return (await this.streams.load(requestStream(scope, requestId), { find: [search] })).keys.has(digest);
  }

  /** Ids are made once, so that every try appends the very same events. */
  async change(
    scope: Scope,
    requestId: string,
    command: RequestCommand,
    { actor, requestId: call, key }: DoneBy,
  ): Promise<RequestDone | Refusal> {
    if (!isId('dsr', requestId)) return dataRequestRefusals.notFound();
    const stream = requestStream(scope, requestId);
    const { state: known } = await this.streams.load(stream);
    if (!known) return dataRequestRefusals.notFound();
    const cipher = await this.vault.cipherOf(known.subjectId);
    const ids: string[] = [];
    const idOf = (i: number): string => (ids[i] ??= key ? uuidV5(`${key.digest}/request/${i}`) : randomUUID());
    const done = await this.streams.execute<RequestDone | { again: readonly number[] }>(
      stream,
      cipher,
      ({ state, keys }) => {
        const before = key && keys.get(key.digest);
        if (before) return { append: [], answer: () => ({ again: before.revisions }) };
        const at = this.clock();
        const decided = decideRequest(command, state, at);
        if (isRefusal(decided)) return decided;
        // Nothing personal can be kept about somebody whose key is gone.
        if (cipher.destroyed && decided.events.some(({ data }) => 'note' in data || 'corrections' in data))
          return dataRequestRefusals.subjectErased();
        const metadata = {
          actor,
          recordedAt: at,
          ...(call !== undefined && { requestId: call }),
          ...(key && { idempotencyKey: key.digest, fingerprint: key.fingerprint }),
        };
        return {
          append: decided.events.map((event, i) => ({ event, id: idOf(i), metadata })),
          answer: (appended) => afterwards(state!, appended),
        };
      },
      { find: key ? [key.search] : [] },
    );
    if (!('again' in done)) return done;
    const events = await this.streams.at(stream, done.again, cipher);
    return afterwards((await this.streams.stateBefore(stream, done.again[0]!))!, events);
  }
}

function afterwards(before: DataRequest, appended: readonly Happened<DomainEvent>[]): RequestDone {
  const request = fold(requestFold, appended as readonly Happened<DataRequestEvent>[], before)!;
  return { refused: false, request, events: appended, position: appended.at(-1)?.position ?? null };
}
