import { Inject, Injectable } from '@nestjs/common';
import { Codec } from '../../streams/codec.js';
import type { EventLog } from '../../log/port.js';
import { Stream } from '../../streams/stream.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { subjectStream, type Reference, type Scope } from '../../kernel/index.js';
import { Vault } from '../../vault/vault.js';
import {
  evolveStanding,
  familyOf,
  followToRead,
  LIFECYCLE,
  standingOf,
  subjectStreamFold,
  type LifecycleEvent,
  type Standed,
} from '../../subjects/index.js';

/** Folded states are small, and few are asked for. */
const CACHED_BYTES = 256 * 1024;

/** Who belongs together by merges, for those who only read. */
@Injectable()
export class Families {
  private readonly streams: Stream<Standed, LifecycleEvent>;

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    private readonly vault: Vault,
  ) {
    const fold = subjectStreamFold<Standed, LifecycleEvent>({
      on: LIFECYCLE,
      initial: () => ({}),
      evolve: (state, event) => ({ standing: evolveStanding(standingOf(state), event) }),
    });
    this.streams = new Stream(log, codec, fold, { cachedBytes: CACHED_BYTES });
  }

  /** The subject that a reference leads to, and all that were merged into it; none where the reference is unknown. */
  async of(scope: Scope, reference: Reference): Promise<string[]> {
    const named = reference.kind === 'subject' ? reference.value : (await this.vault.find(scope, reference))?.subjectId;
    if (named === undefined) return [];
    const load = async (subjectId: string) => (await this.streams.load(subjectStream(scope, subjectId))).state;
    const { root, path } = await followToRead(named, load);
    const family = familyOf(standingOf(root.state));
    return [...new Set([root.subjectId, ...path.map(({ subjectId }) => subjectId), ...family])];
  }
}
