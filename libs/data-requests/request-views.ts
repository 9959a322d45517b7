import { Inject, Injectable } from '@nestjs/common';
import type { Stream } from '../streams/stream.js';
import { CLOCK, isId, openSealed, type Clock, type FieldCipher, type Instant, type Scope } from '../kernel/index.js';
import { Vault } from '../vault/vault.js';
import type { DataRequestEvent } from './events.js';
import { requestStream, type DataRequest, type KeptCorrection, type RequestState, type RequestTexts } from './state.js';
import { REQUEST_STREAMS } from './tokens.js';
import { dataRequestView, type DataRequestView } from './view.js';

/** Data requests in clear, from their streams: nothing that people wrote is copied anywhere. */
@Injectable()
export class RequestViews {
  constructor(
    @Inject(REQUEST_STREAMS) private readonly streams: Stream<RequestState, DataRequestEvent>,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Null where there is no such request. Sees every acknowledged write. */
  async find(scope: Scope, requestId: string): Promise<DataRequest | null> {
    if (!isId('dsr', requestId)) return null;
    return (await this.streams.load(requestStream(scope, requestId))).state;
  }

  /** `at`: the moment that the view is of. Default: now. */
  async of(request: DataRequest, at: Instant = this.clock()): Promise<DataRequestView> {
    return dataRequestView(inClear(request, await this.vault.cipherOf(request.subjectId)), at);
  }
}

/** What is sealed in a request, opened; forgotten where the key is gone. */
export function inClear(request: DataRequest, cipher: FieldCipher): DataRequest {
  const open = (value: unknown): unknown => openSealed(value, () => cipher);
  const { corrections, proposed, notes, ...texts } = request.texts;
  const opens = (kept: readonly KeptCorrection[]): KeptCorrection[] =>
    kept.map(({ kind, value, replaces, field }) => ({
      kind,
      value: open(value),
      ...(field !== undefined && { field: open(field) }),
      ...(replaces !== undefined && { replaces: open(replaces) }),
    }));
  const opened: RequestTexts = {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, open(text)])),
    ...(proposed && { proposed: opens(proposed) }),
    ...(corrections && { corrections: opens(corrections) }),
    ...(notes && { notes: notes.map((each) => ({ ...each, text: open(each.text) })) }),
  };
  return { ...request, texts: opened };
}
