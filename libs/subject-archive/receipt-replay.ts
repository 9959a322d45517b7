import { requireFrom } from '../streams/incomplete-stream.js';
import { LRUCache } from 'lru-cache';
import { purposeOf, type CatalogueState, type PurposeDefinition } from '../catalogue/index.js';
import {
  consentFold,
  consentReceipt,
  decisionOn,
  type ConsentRecordedData,
  type ConsentState,
  type FoldedByConsent,
} from '../consent/index.js';
import { Folding } from '../streams/folding.js';
import type { RecordedEvent } from '../log/port.js';
import { Stream } from '../streams/stream.js';
import type { Folded, StreamFold } from '../streams/stream-fold.js';
import { subjectOfStream, type DomainEvent, type Instant } from '../kernel/index.js';
import {
  confirmationReceipt,
  preferenceFold,
  preferenceReceipt,
  recordOn,
  type FoldedByPreferences,
  type PreferenceConfirmedData,
  type PreferenceSetData,
  type PreferenceState,
} from '../preferences/index.js';
import { erasureReceipt } from '../receipts/index.js';
import { subjectStreamFold, type SubjectErasedData } from '../subjects/index.js';
import type { LogAtHand } from './log-at-hand.js';

/** Streams whose state is kept while others come in between. */
const STREAMS_MAX = 2_000;
const PAGE = 500;

export interface MadeReceipt {
  receipt: object;
  /** By which the key follows that signs it. */
  recordedAt: Instant;
}

/** Types of events that have a receipt. */
export const RECEIPTED = ['ConsentRecorded', 'PreferenceSet', 'PreferenceConfirmed', 'SubjectErased'] as const;

/** Makes the receipts of records while the log is replayed: the same as the service answers, without its read models. */
export class ReceiptReplay {
  private readonly consent: StateBefore<ConsentState, FoldedByConsent>;
  private readonly preferences: StateBefore<PreferenceState, FoldedByPreferences>;

  constructor(
    private readonly engines: LogAtHand,
    private readonly catalogue: CatalogueState,
  ) {
    this.consent = new StateBefore(engines, subjectStreamFold(consentFold));
    this.preferences = new StateBefore(engines, subjectStreamFold(preferenceFold));
  }

  /** Null where the event has none. Of one stream events have to come in their order. */
  async of(event: RecordedEvent): Promise<MadeReceipt | null> {
    const owner = subjectOfStream(event.stream);
    if (!owner || !RECEIPTED.some((type) => type === event.type) || this.engines.codec.isLeftOut(event)) return null;
    // Without any key: a receipt holds nothing personal.
    const { data } = this.engines.codec.decode(event);
    switch (event.type as (typeof RECEIPTED)[number]) {
      case 'ConsentRecorded': {
        const record = data as ConsentRecordedData;
        const before = decisionOn(await this.consent.of(event), record.purpose);
        const where = { ...owner, previousRecordId: before?.recordId ?? null, purpose: this.purposeOf(record) };
        return { receipt: consentReceipt(record, where), recordedAt: record.recordedAt };
      }
      case 'PreferenceSet': {
        const record = data as PreferenceSetData;
        const before = await this.preferences.of(event);
        const receipt = preferenceReceipt(record, { ...owner, previousRecordOf: (field) => recordOn(before, field) });
        return { receipt, recordedAt: record.recordedAt };
      }
      case 'PreferenceConfirmed': {
        const record = data as PreferenceConfirmedData;
        const before = await this.preferences.of(event);
        const receipt = confirmationReceipt(record, { ...owner, previousRecordOf: (field) => recordOn(before, field) });
        return { receipt, recordedAt: record.confirmedAt };
      }
      case 'SubjectErased': {
        const facts = data as SubjectErasedData;
        // Of subjects that were erased together, one receipt stands for all: that of the one who was asked about.
        if (facts.rootId !== owner.subjectId) return null;
        return { receipt: erasureReceipt({ ...facts, ...owner }), recordedAt: facts.erasedAt };
      }
    }
  }

  private purposeOf({ purpose, purposeVersion }: ConsentRecordedData): PurposeDefinition {
    const versions = purposeOf(this.catalogue, purpose)?.versions ?? [];
    const published = versions.find(({ version }) => version === purposeVersion);
    if (!published) throw new Error(`the log holds no version ${purposeVersion} of the purpose ${purpose}`);
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
