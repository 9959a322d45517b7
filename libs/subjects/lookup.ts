import { Inject, Injectable } from '@nestjs/common';
import {
  type Position,
  CLOCK,
  openSealed,
  subjectStream,
  type Clock,
  type DomainEvent,
  type FieldCipher,
  type Instant,
  type Scope,
} from '../kernel/index.js';
import { ReplayCost } from '../streams/replay-cost.js';
import { isWithin } from '../streams/stream-fold.js';
import type { Happened, Stream } from '../streams/stream.js';
import { Vault } from '../vault/vault.js';
import type { SubjectEvent } from './events.js';
import { familyOf, standingOf } from './standing.js';
import { subjectFold, type SubjectState } from './state.js';
import { SUBJECT_STREAMS } from './tokens.js';
import { subjectView, type SubjectView } from './view.js';

/** Of the last event of a write. */
export interface Written {
  position: Position;
  at: Instant;
}

export const writtenBy = ({ position, metadata }: Happened<DomainEvent>): Written => ({
  position,
  at: metadata.recordedAt,
});

/** Subjects in clear, from their streams: there are few questions about them, and no copy in clear to erase. */
@Injectable()
export class SubjectLookup {
  constructor(
    @Inject(SUBJECT_STREAMS) private readonly streams: Stream<SubjectState, SubjectEvent>,
    private readonly vault: Vault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The subject as it is, or as it was when something was written: an answer given again is the same. */
  async view(scope: Scope, subjectId: string, then?: Written): Promise<SubjectView> {
    const state = await this.stateOf(scope, subjectId, then?.position);
    const absorbed = await Promise.all(
      familyOf(standingOf(state)).map((id) => this.stateOf(scope, id, then?.position)),
    );
    return subjectView(
      subjectId,
      state,
      absorbed.flatMap(({ identifiers }) => identifiers),
      then?.at ?? this.clock(),
    );
  }

  /** With personal values in clear; where `through` is given, as it was at that position. */
  async stateOf(scope: Scope, subjectId: string, through?: Position): Promise<SubjectState> {
    const cipher = await this.vault.cipherOf(subjectId);
    return opened(await this.sealedState(subjectStream(scope, subjectId), through), cipher);
  }

  private async sealedState(stream: string, through: Position | undefined): Promise<SubjectState> {
    const newest = await this.streams.load(stream);
    if (through === undefined || isWithin(newest, { position: through })) return newest.state;
    const { begin, events } = await this.streams.since(stream, { position: through }, ReplayCost.ofWrite());
    let { state } = begin;
    for await (const event of events) {
      if (event.position > through) break;
      state = subjectFold.evolve(state, event);
    }
    return state;
  }
}

/** The personal values of a state in clear, or forgotten where the key is gone. */
function opened(state: SubjectState, cipher: FieldCipher): SubjectState {
  const open = <T>(value: T): T => openSealed(value, () => cipher) as T;
  return {
    ...state,
    locale: open(state.locale),
    country: open(state.country),
    metadata: open(state.metadata),
    identifiers: state.identifiers.map((identifier) => ({ ...identifier, value: open(identifier.value) })),
  };
}
