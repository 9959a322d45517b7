import { Inject, Injectable } from '@nestjs/common';
import { decideOnce, type DoneBy } from '../../commands/decide-on-stream.js';
import type { Happened, Stream } from '../../streams/stream.js';
import {
  CLOCK,
  fold,
  isId,
  isRefusal,
  type Clock,
  type DomainEvent,
  type Position,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { Vault } from '../../vault/vault.js';
import { decideRequest, type RequestCommand } from '../decide.js';
import type { DataRequestEvent } from '../events.js';
import { dataRequestRefusals } from '../refusals.js';
import { requestFold, requestStream, type DataRequest, type RequestState } from '../state.js';
import { REQUEST_STREAMS } from '../tokens.js';

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

  async change(scope: Scope, requestId: string, command: RequestCommand, by: DoneBy): Promise<RequestDone | Refusal> {
    if (!isId('dsr', requestId)) return dataRequestRefusals.notFound();
    const stream = requestStream(scope, requestId);
    const { state: known } = await this.streams.load(stream);
    if (!known) return dataRequestRefusals.notFound();
    const cipher = await this.vault.cipherOf(known.subjectId);
    const done = await decideOnce(this.streams, {
      ...{ stream, by, clock: this.clock, cipher },
      decide: (state, at) => {
        const decided = decideRequest(command, state, at);
        // Nothing personal can be kept about a subject whose key is gone.
        const isKept =
          !isRefusal(decided) && decided.events.some(({ data }) => 'note' in data || 'corrections' in data);
        return cipher.destroyed && isKept ? dataRequestRefusals.subjectErased() : decided;
      },
    });
    if (isRefusal(done)) return done;
    const { before, events, position } = done;
    return { refused: false, request: fold(requestFold, events, before)!, events, position };
  }
}
