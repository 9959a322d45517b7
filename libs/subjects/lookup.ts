import { Inject, Injectable } from '@nestjs/common';
import {
  type Position,
  CLOCK,
  subjectStream,
  type Clock,
  type DomainEvent,
  type Instant,
  type Scope,
} from '../kernel/index.js';
import type { Happened, Stream } from '../event-log/stream.js';
import { Vault } from '../platform/vault/vault.js';
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

/** Subjects in clear, told from their streams: there are few questions about them, and no copy to erase. */
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

  async stateOf(scope: Scope, subjectId: string, through?: Position): Promise<SubjectState> {
    let state = subjectFold.initial();
    for await (const event of this.streams.forwards(
      subjectStream(scope, subjectId),
      await this.vault.cipherOf(subjectId),
    )) {
      if (through !== undefined && event.position > through) break;
      state = subjectFold.evolve(state, event);
    }
    return state;
  }
}
