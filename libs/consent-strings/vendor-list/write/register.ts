import { Inject, Injectable } from '@nestjs/common';
import { eventMetadata } from '../../../commands/event-metadata.js';
import { Codec } from '../../../streams/codec.js';
import { NO_STREAM, type EventLog } from '../../../log/port.js';
import { Stream } from '../../../streams/stream.js';
import { EVENT_LOG } from '../../../log/tokens.js';
import { CLOCK, isRefusal, uuidV5, type Clock, type Decision, type Instant } from '../../../kernel/index.js';
import { offerList, offerTexts, type UnfitList } from '../decide.js';
import {
  contentStream,
  VENDOR_LISTS_STREAM,
  type ListSource,
  type RefusalReason,
  type VendorListEvent,
} from '../events.js';
import type { GvlTexts } from '../gvl.js';
import { packed, PACKED_MAX } from '../packed.js';
import { digestOf, type ReadList } from '../read-list.js';
import { listsContended } from '../refusals.js';
import { vendorListsFold, type VendorListsState } from '../state.js';

/** The outcome of offering a list. UNCHANGED: it is the one in use. */
export type Offered = 'TAKEN' | 'UNCHANGED' | { refused: RefusalReason; detail: string | null };

const ACTOR = 'system:vendor-list';

/** Takes lists into use. The content of a list is in the log before any event names it. */
@Injectable()
export class VendorListRegister {
  private readonly streams: Stream<VendorListsState, VendorListEvent>;

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly codec: Codec,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.streams = new Stream(log, codec, { ...vendorListsFold, contended: listsContended });
  }

  async hasList(): Promise<boolean> {
    return (await this.streams.load(VENDOR_LISTS_STREAM)).state.taken.length > 0;
  }

  async hasTexts(locale: string): Promise<boolean> {
    return Object.hasOwn((await this.streams.load(VENDOR_LISTS_STREAM)).state.texts, locale);
  }

  /** May be repeated, and called by several processes at once. Rejects with LogUnavailable. */
  async offer(found: ReadList | UnfitList, from: ListSource): Promise<Offered> {
    if ('reason' in found) return this.decided(found, from);
    const { state } = await this.streams.load(VENDOR_LISTS_STREAM);
    const wanted = offerList(found.offered, from, state, this.clock());
    const isTaken = !isRefusal(wanted) && wanted.events.some(({ type }) => type === 'VendorListTaken');
    if (isTaken && !(await this.keep(found.offered.digest, found.content)))
      return this.decided(tooLarge(found.offered.digest), from);
    return this.decided(found.offered, from);
  }

  /** Offers texts in another language, which are the same for every list. */
  async offerTexts(locale: string, texts: GvlTexts, from: ListSource): Promise<void> {
    const digest = digestOf(texts);
    const { state } = await this.streams.load(VENDOR_LISTS_STREAM);
    if (state.texts[locale]?.digest === digest) return;
    if (await this.keep(digest, texts)) await this.execute((known, at) => offerTexts(locale, digest, from, known, at));
  }

  private async decided(offered: Parameters<typeof offerList>[0], from: ListSource): Promise<Offered> {
    const said = await this.execute((state, at) => offerList(offered, from, state, at));
    if (said?.type === 'VendorListTaken') return 'TAKEN';
    if ('reason' in offered) return { refused: offered.reason, detail: offered.detail };
    if (said?.type === 'VendorListRefused') return { refused: said.data.reason, detail: said.data.detail };
    // No event: the list is the one in use, or was refused before.
    const { refused } = (await this.streams.load(VENDOR_LISTS_STREAM)).state;
    return refused?.digest === offered.digest ? { refused: refused.reason, detail: refused.detail } : 'UNCHANGED';
  }

  private async execute(
    decide: (state: VendorListsState, at: Instant) => Decision<VendorListEvent>,
  ): Promise<VendorListEvent | undefined> {
    const done = await this.streams.execute<VendorListEvent | undefined>(
      VENDOR_LISTS_STREAM,
      undefined,
      ({ state, revision }) => {
        const at = this.clock();
        const decided = decide(state, at);
        if (isRefusal(decided)) return decided;
        const append = decided.events.map((event) => ({
          event,
          id: uuidV5(`${VENDOR_LISTS_STREAM}/${revision + 1}/${JSON.stringify(event)}`),
          metadata: eventMetadata({ actor: ACTOR, at }),
        }));
        return { append, answer: ([appended]) => appended as VendorListEvent | undefined };
      },
    );
    if (isRefusal(done)) throw new Error(done.message);
    return done;
  }

  /** False if it is too large for an event. A stored content stays for ever. */
  private async keep(digest: string, content: unknown): Promise<boolean> {
    const text = await packed(content);
    if (text === null) return false;
    const type = 'VendorListKept';
    const metadata = {
      schemaVersion: this.codec.versionOf(type),
      ...eventMetadata({ actor: ACTOR, at: this.clock() }),
    };
    const event = { type, data: { content: text } } as const;
    await this.log.append(contentStream(digest), NO_STREAM, [
      { ...event, data: this.codec.encode(event), id: uuidV5(contentStream(digest)), metadata },
    ]);
    return true;
  }
}

const tooLarge = (digest: string): UnfitList => ({
  reason: 'TOO_LARGE',
  detail: `more than ${PACKED_MAX} characters when it is packed`,
  digest,
});
