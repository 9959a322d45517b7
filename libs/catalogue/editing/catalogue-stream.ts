import { Module } from '@nestjs/common';
import { refusal } from '../../kernel/index.js';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { Codec } from '../../streams/codec.js';
import { Stream } from '../../streams/stream.js';
import type { CatalogueEvent } from '../events.js';
import { catalogueFold, type CatalogueState } from '../state.js';

/** Streams of catalogues, of which one process keeps one cache. */
export class CatalogueStreams extends Stream<CatalogueState, CatalogueEvent> {}

@Module({
  providers: [
    {
      provide: CatalogueStreams,
      inject: [EVENT_LOG, Codec],
      useFactory: (log: EventLog, codec: Codec) =>
        new CatalogueStreams(log, codec, {
          ...catalogueFold,
          contended: () =>
            refusal('state_conflict', 'Another operator is publishing at the same time.', 'Send the same again.'),
        }),
    },
  ],
  exports: [CatalogueStreams],
})
export class CatalogueStreamsModule {}
