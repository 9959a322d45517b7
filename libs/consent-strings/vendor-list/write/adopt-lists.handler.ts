import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyDirectory } from '../../../access/index.js';
import {
  CATALOGUE,
  catalogueFold,
  type Catalogue,
  type CatalogueEvent,
  type CatalogueState,
} from '../../../catalogue/index.js';
import { eventMetadata } from '../../../commands/event-metadata.js';
import { Codec } from '../../../streams/codec.js';
import type { EventLog } from '../../../log/port.js';
import { Stream } from '../../../streams/stream.js';
import { EVENT_LOG } from '../../../log/tokens.js';
import { catalogueStream, CLOCK, ENVIRONMENTS, isRefusal, type Clock, type Scope } from '../../../kernel/index.js';
import { adoptList, namesVendors } from '../adopt.js';
import { listsContended } from '../refusals.js';
import { VendorLists, type VendorList } from '../vendor-lists.js';

/** Makes each site that names vendors of IAB TCF adopt the newest list. */
export class AdoptVendorLists extends Command<void> {}

@CommandHandler(AdoptVendorLists)
export class AdoptVendorListsHandler implements ICommandHandler<AdoptVendorLists> {
  private readonly streams: Stream<CatalogueState, CatalogueEvent>;

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    private readonly keys: KeyDirectory,
    private readonly lists: VendorLists,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.streams = new Stream(log, codec, { ...catalogueFold, contended: listsContended });
  }

  /** Compares what is in memory; reads no stream if there is nothing to adopt. */
  async execute(): Promise<void> {
    const newest = await this.lists.newest();
    if (newest.isSynthetic) return;
    for (const site of this.keys.sites())
      for (const env of ENVIRONMENTS) await this.adopt({ site: site.site!, env }, newest);
  }

  private async adopt(scope: Scope, newest: VendorList): Promise<void> {
    const known = this.catalogue.of(scope);
    if (known.vendorLists?.at(-1)?.digest === newest.digest || !namesVendors(known, this.clock())) return;
    const stream = catalogueStream(scope);
    const { state } = await this.streams.load(stream);
    const last = state.vendorLists?.at(-1);
    const before = last ? await this.lists.list(last) : null;
    const done = await this.streams.execute(stream, undefined, ({ state: now }) => {
      const at = this.clock();
      // Another process has adopted a list meanwhile: the next round adopts what is left.
      if (now.vendorLists?.at(-1)?.digest !== last?.digest) return { append: [], answer: () => undefined };
      const decided = adoptList(newest, before, now, at);
      if (isRefusal(decided)) return decided;
      const metadata = eventMetadata({ actor: 'system:vendor-list', at });
      return {
        append: decided.events.map((event) => ({ event, id: randomUUID(), metadata })),
        answer: () => undefined,
      };
    });
    if (isRefusal(done)) throw new Error(done.message);
  }
}
