import { Inject, Injectable } from '@nestjs/common';
import { CATALOGUE, purposeOf, type Catalogue, type PurposeDefinition } from '../../catalogue/index.js';
import type { ReceiptSource, UnsignedReceipt } from '../../context/receipt-source.js';
import { EventIndex, type EventPlace } from '../../following/projections/event-index.js';
import type { EventLog } from '../../log/port.js';
import type { Stream } from '../../streams/stream.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { sameUlid, subjectStream, type Position, type ReadProgress, type Scope } from '../../kernel/index.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { Database } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { kantaraReceipt } from '../../receipts/index.js';
import { standingOf } from '../../subjects/index.js';
import type { ConsentRecordedData } from '../events.js';
import { consentReceipt } from '../receipt.js';
import { CONSENT_STREAMS, decisionOn, type ConsentState, type FoldedByConsent } from '../state.js';
import { consentDecisionsProjection, DECISIONS_PROGRESS } from './decisions.projection.js';

/** How long a purpose is waited for that a record names already, in ms: the catalogue may be behind the log. */
const BEHIND_MS = 1_500;

/** The receipts of decisions. `read.consent_decisions` says where a record stands; everything else is read from the log. */
@Injectable()
export class ConsentReceipts implements ReceiptSource {
  private readonly index: EventIndex;

  constructor(
    database: Database,
    @Inject(EVENT_LOG) log: EventLog,
    @Inject(DECISIONS_PROGRESS) progress: ReadProgress,
    @Inject(CONSENT_STREAMS) private readonly streams: Stream<ConsentState, FoldedByConsent>,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {
    this.index = new EventIndex(database, log, progress, consentDecisionsProjection);
  }

  place(receiptId: string, after: Position | null): Promise<EventPlace | null> {
    return this.index.find(sameUlid('rec', receiptId), after);
  }

  async receipt(receiptId: string, after: Position | null): Promise<UnsignedReceipt | null> {
    const place = await this.place(receiptId, after);
    if (!place) return null;
    const { site, env, subjectId, revision } = place;
    const stream = subjectStream(place, subjectId);
    const [event] = await this.streams.at(stream, [revision]);
    const record = event!.data as ConsentRecordedData;
    const [before, { state }, purpose] = await Promise.all([
      this.streams.stateBefore(stream, revision),
      this.streams.load(stream),
      this.purpose(place, record, event!.position),
    ]);
    const previousRecordId = decisionOn(before, record.purpose)?.recordId ?? null;
    const receipt = consentReceipt(record, { site, env, subjectId, previousRecordId, purpose });
    return {
      site,
      env,
      subjectId,
      recordedAt: record.recordedAt,
      subjectErasedAt: standingOf(state).erasedAt,
      receipt,
      kantara: kantaraReceipt(receipt, {
        publicUrl: this.publicUrl,
        category: purpose.category,
        controller: purpose.controller,
      }),
    };
  }

  /** The version that was decided on: published before the record, and never changed since. */
  private async purpose(
    scope: Scope,
    { purpose, purposeVersion }: ConsentRecordedData,
    at: Position,
  ): Promise<PurposeDefinition> {
    const find = (): PurposeDefinition | undefined =>
      purposeOf(this.catalogue.of(scope), purpose)?.versions.find(({ version }) => version === purposeVersion)
        ?.definition;
    const known = find();
    if (known) return known;
    await this.catalogue.reached(at, BEHIND_MS);
    const published = find();
    if (!published) throw new DependencyUnavailable('catalogue');
    return published;
  }
}
