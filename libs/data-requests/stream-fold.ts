import type { StreamFold } from '../streams/stream-fold.js';
import { keepSealed } from '../kernel/index.js';
import { DATA_REQUEST_EVENT_TYPES, type DataRequestEvent } from './events.js';
import { dataRequestRefusals } from './refusals.js';
import { requestFold, type RequestState } from './state.js';

/** How streams of data requests are loaded. They are short, so no snapshot is kept. What is personal stays sealed. */
export const REQUEST_STREAM_FOLD: StreamFold<RequestState, DataRequestEvent> = {
  ...requestFold,
  on: DATA_REQUEST_EVENT_TYPES,
  sealed: (stream) => keepSealed(stream),
  contended: dataRequestRefusals.contended,
};
