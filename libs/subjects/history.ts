import { Inject, Injectable } from '@nestjs/common';
import { SubjectReads } from '../access/index.js';
import { BEGINNING_OF_TIME } from '../kernel/index.js';
import type { Stream } from '../streams/stream.js';
import { Vault } from '../vault/vault.js';
import type { SubjectEvent } from './events.js';
import { Snapshots } from './snapshots.js';
import { initialSubject, subjectFold, type SubjectState } from './state.js';
import { SUBJECT_STREAMS } from './tokens.js';

/** All that happened to a subject and to those that were merged into it, whichever context it belongs to. */
@Injectable()
export class SubjectHistory extends Snapshots<SubjectState, SubjectEvent> {
  constructor(
    @Inject(SUBJECT_STREAMS) streams: Stream<SubjectState, SubjectEvent>,
    @Inject(Vault) vault: Vault,
    @Inject(SubjectReads) reads: SubjectReads,
  ) {
    super(streams, vault, reads, {
      part: 'subject',
      initial: initialSubject,
      evolve: (state, event) => subjectFold.evolve(state, event),
      merge: (target) => target,
      // No state as of a moment is read here.
      givenAt: () => BEGINNING_OF_TIME,
    });
  }
}
