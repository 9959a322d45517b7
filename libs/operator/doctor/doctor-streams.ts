import type { Curtailed, EventLog } from '../../log/port.js';
import { fail, ok, warn, type Finding } from './findings.js';

const CHECK = 'streams';
/** Most streams that are checked for missing events. */
const MOST_LOOKED_AT = 100;
const FIX =
  'Remove $maxCount, $maxAge and $tb from their metadata before the next scavenge, by which what they hide is lost; what is gone comes back from a copy of the log only.';

/** Checks that the log keeps every stream whole. No finding for a log that always does. */
export async function checkStreams(log: EventLog): Promise<Finding[]> {
  if (!log.curtailed) return [];
  try {
    const { streams, isAll } = await log.curtailed();
    const looked = await Promise.all(streams.slice(0, MOST_LOOKED_AT).map((each) => lossOf(log, each)));
    const losses = looked.filter((loss) => loss !== null);
    if (losses.length > 0) return [fail(CHECK, losses.join(', '), FIX)];
    return [
      isAll && streams.length <= MOST_LOOKED_AT
        ? ok(CHECK, 'whole: no rule drops events')
        : warn(
            CHECK,
            'whole as far as was looked, which was not at all of them',
            'See the metadata of streams on the server.',
          ),
    ];
  } catch (error) {
    if ((error as Error).name !== 'LogUnavailable') throw error;
    return [warn(CHECK, 'their metadata cannot be read', 'Let the user in ESDB_URL read $all with metadata streams.')];
  }
}

/** Null where the rule was removed before it took anything. */
async function lossOf(log: EventLog, { stream, stands }: Curtailed['streams'][number]): Promise<string | null> {
  const [first] = await log.read(stream, { direction: 'forwards', limit: 1 });
  if (first?.revision !== 0) return `${stream} lacks its beginning`;
  return stands ? `a rule drops events of ${stream}` : null;
}
