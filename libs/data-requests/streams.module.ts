import { Module } from '@nestjs/common';
import { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { Stream } from '../streams/stream.js';
import { EVENT_LOG } from '../log/tokens.js';
import { RequestViews } from './request-views.js';
import { REQUEST_STREAM_FOLD } from './stream-fold.js';
import { REQUEST_STREAMS } from './tokens.js';

/** Data requests as their streams tell them, for writing and reading. */
@Module({
  providers: [
    {
      provide: REQUEST_STREAMS,
      inject: [EVENT_LOG, Codec],
      useFactory: (log: EventLog, codec: Codec) => new Stream(log, codec, REQUEST_STREAM_FOLD),
    },
    RequestViews,
  ],
  exports: [REQUEST_STREAMS, RequestViews],
})
export class DataRequestStreamsModule {}
