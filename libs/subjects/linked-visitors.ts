import { Stream } from '../streams/stream.js';
import type { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import type { SnapshotStore } from '../streams/snapshot-store.js';
import { ANONYMOUS_KINDS, proceed, subjectStream, type Reference, type Scope } from '../kernel/index.js';
import type { Vault } from '../vault/vault.js';
import type { SubjectEvent } from './events.js';
import { followToRead } from './follow.js';
import { familyOf, standingOf } from './standing.js';
import { subjectFold, type SubjectState } from './state.js';
import { subjectStreamFold } from './stream-fold.js';

/**
 * Says which visitors turned out to be known people. The vault answers nearly all of it without reading a stream, and what
 * it answered is remembered for some seconds: a link holds at once in the process that made it, and within those seconds
 * in the others.
 */
export class LinkedVisitors {
  private readonly streams: Stream<SubjectState, SubjectEvent>;
  private readonly vault: Pick<Vault, 'find' | 'remembered'>;

  constructor({
    log,
    codec,
    snapshots,
    vault,
  }: {
    log: EventLog;
    codec: Codec;
    snapshots: SnapshotStore;
    vault: Pick<Vault, 'find' | 'remembered'>;
  }) {
    this.vault = vault;
    this.streams = new Stream(log, codec, subjectStreamFold({ ...subjectFold, keepsSealed: true }), { snapshots });
  }

  /** Whether a reference leads to a subject with an identifier that is not a random handle, merges followed. */
  isLinked(scope: Scope, reference: Reference): boolean | Promise<boolean> {
    return proceed(this.vault.remembered(scope, reference) ?? this.vault.find(scope, reference), (found) => {
      if (!found) return false;
      return found.isPerson || !found.wasMerged ? found.isPerson : this.isFamilyLinked(scope, found.subjectId);
    });
  }

  private async isFamilyLinked(scope: Scope, subjectId: string): Promise<boolean> {
    const load = async (id: string): Promise<SubjectState> => (await this.streams.load(subjectStream(scope, id))).state;
    const { root } = await followToRead(subjectId, load);
    const family = await Promise.all(familyOf(standingOf(root.state)).map(load));
    return [root.state, ...family].some(({ identifiers }) =>
      identifiers.some(({ kind }) => !ANONYMOUS_KINDS.includes(kind)),
    );
  }
}
