/** Injection token of the Stream of data requests: the one way to read and write what stands in `request-<site>.<env>.<id>`. */
export const REQUEST_STREAMS = Symbol('RequestStreams');
