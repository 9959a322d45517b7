import { requireFrom } from '../streams/incomplete-stream.js';
import { LRUCache } from 'lru-cache';
import { purposeOf, type CatalogueState, type PurposeDefinition } from '../catalogue/index.js';
import { Folding } from '../streams/folding.js';
import type { RecordedEvent } from '../log/port.js';
import { Stream } from '../streams/stream.js';
import type { Folded, StreamFold } from '../streams/stream-fold.js';
import { subjectOfStream, type DomainEvent } from '../kernel/index.js';
import { partStreamFold } from '../subjects/index.js';
import type { SubjectPart } from '../context/subject-part.js';
import type { MadeReceipt, ReceiptedType } from '../context/subject-timeline.js';
import type { LogAtHand, ShownLog } from './log-at-hand.js';

/** Streams whose state is kept while others come in between. */
const STREAMS_MAX = 2_000;
const PAGE = 500;

/** Makes the receipts of records while the log is replayed: the same as the service answers, without its read models. */
export class ReceiptReplay {
  private readonly types: ReadonlyMap<string, ReceiptedType>;
  private readonly before = new Map<SubjectPart, StateBefore<unknown, DomainEvent>>();

  constructor(
    private readonly engines: ShownLog,
    private readonly catalogue: CatalogueState,
  ) {
    this.types = new Map(engines.timeline.receipted.map((each) => [each.type, each]));
  }

  /** Null where the event has none. Of one stream events have to come in their order. */
  async of(event: RecordedEvent): Promise<MadeReceipt | null> {
    const owner = subjectOfStream(event.stream);
    const type = this.types.get(event.type);
    if (!owner || !type || this.engines.codec.isLeftOut(event)) return null;
    // Without any key: a receipt holds nothing personal.
    const { data } = this.engines.codec.decode(event);
    if (type.receipt.id(data, owner.subjectId) === null) return null;
    const before = type.part === null ? undefined : await this.statesOf(type.part).of(event);
    return type.receipt.make(data, { ...owner, before, purpose: (key, version) => this.published(key, version) });
  }

  private statesOf(part: SubjectPart): StateBefore<unknown, DomainEvent> {
    let states = this.before.get(part);
    if (!states) this.before.set(part, (states = new StateBefore(this.engines, partStreamFold(part))));
    return states;
  }

  private published(key: string, wanted: number): PurposeDefinition {
    const versions = purposeOf(this.catalogue, key)?.versions ?? [];
    const published = versions.find(({ version }) => version === wanted);
    if (!published) throw new Error(`the log holds no version ${wanted} of the purpose ${key}`);
    return published.definition;
  }
}

/** The state of streams before each of their events, at the cost of folding each event once. */
class StateBefore<S, E extends DomainEvent> {
  private readonly folding: Folding<S, E>;
  private readonly streams: Stream<S, E>;
  private readonly known = new LRUCache<string, Folded<S>>({ max: STREAMS_MAX });

  constructor(
    private readonly engines: LogAtHand,
    fold: StreamFold<S, E>,
  ) {
    this.folding = new Folding(engines.codec, fold);
    this.streams = new Stream(engines.log, engines.codec, fold);
  }

  async of(event: RecordedEvent): Promise<S> {
    const { stream, revision } = event;
    let before = this.known.get(stream);
    if (!before) {
      const state = await this.streams.stateBefore(stream, revision);
      before = { ...this.folding.empty(), revision: revision - 1, state };
    }
    // What stands between has no receipt, and was not handed in.
    while (before.revision < revision - 1) {
      const limit = Math.min(PAGE, revision - 1 - before.revision);
      const between = await this.engines.log.read(stream, { direction: 'forwards', from: before.revision + 1, limit });
      requireFrom(stream, before.revision + 1, between);
      before = this.folding.over(stream, before, between);
    }
    this.known.set(stream, this.folding.over(stream, before, [event]));
    return before.state;
  }
}
