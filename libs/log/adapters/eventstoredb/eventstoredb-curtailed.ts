import type { Credentials } from '@eventstore/db-client';
import { BEGINNING } from '../../../kernel/index.js';
import type { Curtailed } from '../../port.js';
import type { Connection } from './eventstoredb-connection.js';
import { Feed } from './eventstoredb-feed.js';
import type { StreamNames } from './eventstoredb-names.js';

/** How long the scan may take. The server reads past some 270,000 events in half a second. */
const LOOK_MS = 5_000;
/** Most streams that are named. */
const MOST_NAMED = 1_000;
/** Settings of a stream that make the server hide events; the next scavenge deletes them. */
const RULES = ['$maxCount', '$maxAge', '$tb'];

/** Streams of the service whose metadata ever named one of RULES. Metadata are events of the stream `$$<stream>`. */
export async function streamsWithRules(
  connection: Connection,
  credentials: { credentials?: Credentials },
  names: StreamNames,
): Promise<Curtailed> {
  const found = new Map<string, boolean>();
  const metadataOf = `$$${names.onServer('')}`;
  return new Promise<Curtailed>((resolve, reject) => {
    const end = (isAll: boolean): void => {
      clearTimeout(timer);
      feed.cancel();
      resolve({ streams: [...found].map(([stream, stands]) => ({ stream, stands })), isAll });
    };
    const timer = setTimeout(() => end(false), LOOK_MS);
    const feed = new Feed(
      connection.client,
      { after: BEGINNING, prefixes: [metadataOf], credentials, batchSize: 500 },
      {
        heard: () => undefined,
        confirmed: () => undefined,
        wake: () => {
          for (const { streamId, data } of feed.take()) {
            const stream = names.ours(streamId.slice(2));
            const stands = namesRule(data);
            if (stream !== null && (stands || found.has(stream))) found.set(stream, stands);
          }
          if (found.size >= MOST_NAMED) end(false);
          else if (feed.hasCaughtUp && feed.isEmpty) end(true);
        },
        ended: (by) => {
          clearTimeout(timer);
          reject(by);
        },
      },
    );
  });
}

function namesRule(metadata: string): boolean {
  try {
    const written = JSON.parse(metadata) as Record<string, unknown> | null;
    return RULES.some((rule) => written?.[rule] !== undefined);
  } catch {
    return false;
  }
}
