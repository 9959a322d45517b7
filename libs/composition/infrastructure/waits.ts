/**
 * What a part of the process waits for before the process should take requests, each in words that complete
 * "Waiting for …"; nothing where it waits for nothing. Any part may add its own to `Infrastructure.waits`.
 */
export type Waits = () => readonly string[] | Promise<readonly string[]>;
