import type { RecordedEvent } from '../../log/port.js';
import type { StandingChoice } from '../../context/subject-part.js';
import type { ReadEvent, SubjectTimeline } from '../../context/subject-timeline.js';
import { everyRead } from '../../access/index.js';
import type { Catalogue, Notice } from '../../catalogue/index.js';
import {
  ciphersOf,
  eventsOf,
  opened,
  ReceiptReplay,
  Texts,
  whatStood,
  type ShownLog,
} from '../../subject-archive/index.js';
import { subjectOfStream, type Instant, type Position, type Scope } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { MasterKey } from '../../vault/master-key.js';
import type { Vault } from '../../vault/vault.js';
import type { ReceiptSigner } from '../../receipts/index.js';
import { everyDelivery, openUrl } from '../../webhooks/index.js';
import type { DataRequestView } from '../view.js';
import { ownReader, ownRequest, type OwnRequest } from './own-data.js';

/** Where it is all kept. */
export interface Sources extends ShownLog {
  vault: Vault;
  database: Queries;
  master: MasterKey;
  signer: ReceiptSigner;
  catalogue: Catalogue;
  requestsOf(scope: Scope, family: readonly string[]): Promise<DataRequestView[]>;
}

/** A signed receipt. */
export interface HeldReceipt {
  receipt: object;
  jws: string;
}

/** An event with what follows from it. */
export interface HeldEvent extends ReadEvent {
  receipt: HeldReceipt | null;
}

/** All that is kept of one subject and of those that were merged with it, as of one moment; read in pages. */
export class Holdings {
  private readonly texts: Texts;

  constructor(
    private readonly sources: Sources,
    readonly scope: Scope,
    /** Ids, the survivor first. */
    readonly family: readonly string[],
    private readonly through: Position,
    readonly at: Instant,
  ) {
    this.texts = new Texts(sources.catalogue.of(scope), sources.timeline);
  }

  get timeline(): SubjectTimeline {
    return this.sources.timeline;
  }

  async identifiers(): Promise<{ subject: string; kind: string; value: string }[]> {
    const of = async (subject: string) =>
      (await this.sources.vault.identifiersOf(subject)).map((each) => ({ subject, ...each }));
    return (await Promise.all(this.family.map(of))).flat();
  }

  /** Choices and preferences that stand. */
  stood(): Promise<StandingChoice[]> {
    return whatStood(this.sources, this.scope, this.family[0]!, this.through, this.at);
  }

  async requests(): Promise<OwnRequest[]> {
    return (await this.sources.requestsOf(this.scope, this.family)).map(ownRequest);
  }

  /** Every event of the subject in the order of the log, in clear, page by page. */
  async *events(): AsyncGenerator<ReadEvent[]> {
    for await (const [page] of this.pages()) yield page;
  }

  /** The same with receipts. */
  async *eventsWithReceipts(): AsyncGenerator<HeldEvent[]> {
    const replay = new ReceiptReplay(this.sources, this.sources.catalogue.of(this.scope));
    for await (const [page, recorded] of this.pages()) {
      const held: HeldEvent[] = [];
      for (const [i, event] of page.entries())
        held.push({ ...event, receipt: await this.receiptOf(replay, recorded[i]!) });
      yield held;
    }
  }

  /** Every text that the events so far say was shown. */
  *shownTexts() {
    for (const hash of this.texts.all()) {
      const notice = this.texts.find(hash);
      if (notice) yield notice;
    }
  }

  /** Null where nothing of that hash was ever published. */
  textOf(hash: string): Notice | null {
    return this.texts.find(hash);
  }

  /** Which systems were sent webhooks, as long as that is known. */
  async *deliveries() {
    const asked = { subjectIds: this.family, from: null, until: this.at };
    const { database, master } = this.sources;
    const urlOf = (endpoint: string, sealed: string): string => openUrl(master, endpoint, sealed);
    for await (const { id, type, origin, outcome, finishedAt } of everyDelivery(database, this.scope, asked, urlOf))
      yield { id, type, origin, outcome, finishedAt };
  }

  /** Who read, newest hour first, as long as that is known. */
  async *reads() {
    const wanted = { ...this.scope, subjectIds: this.family, reader: null, from: null, to: this.at };
    for await (const { reader, operation, hour, reads, firstAt, lastAt } of everyRead(this.sources.database, wanted))
      yield { reader: ownReader(reader), operation, hour, reads, firstAt, lastAt };
  }

  private async *pages(): AsyncGenerator<[ReadEvent[], RecordedEvent[]]> {
    const cipherOf = await ciphersOf(this.sources.vault, this.family);
    for await (const recorded of eventsOf(this.sources, this.scope, this.family, this.through)) {
      const page = recorded.map((event): ReadEvent => {
        const { subjectId } = subjectOfStream(event.stream)!;
        const { type, position, metadata } = event;
        const read = this.sources.timeline.known(opened(this.sources.codec, event, cipherOf(subjectId)!, cipherOf));
        this.texts.note(read);
        return { position: String(position), recordedAt: metadata.recordedAt, type, subjectId, event: read };
      });
      yield [page, recorded];
    }
  }

  private async receiptOf(replay: ReceiptReplay, event: RecordedEvent): Promise<HeldReceipt | null> {
    const made = await replay.of(event);
    if (!made) return null;
    return {
      receipt: made.receipt,
      jws: await this.sources.signer.sign(this.scope.env, made.receipt, made.recordedAt),
    };
  }
}
