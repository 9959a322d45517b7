import { number } from './report.mjs';

/** Of the free disk, what a fill may take: Postgres needs room for its journal, and a backup stands beside it. */
const DISK_SHARE = 0.6;
/** Room for Postgres' journal and a second set of one read model. */
const BESIDE_BYTES = 6e9;

const gb = (bytes) => `${number(bytes / 1e9)} GB`;

/**
 * What `total` people will take, from what the first `people` of them took in `bytes` and `seconds`, with `free` bytes on
 * the disk at `place`. `refusal` says how many would fit; null where all do.
 */
export function roomFor({ people, bytes, seconds, free, place }, total) {
  const each = bytes / people;
  const needed = each * total + BESIDE_BYTES;
  const most = Math.floor((free * DISK_SHARE - BESIDE_BYTES) / each / 1000) * 1000;
  return {
    said: `${number(total)} people will take ${gb(each * total)} (${number(each)} bytes each; ${gb(free)} are free) and at most ${Math.ceil((seconds * total) / people / 60)} min to fill`,
    refusal:
      needed <= free * DISK_SHARE
        ? null
        : `${number(total)} people need ${gb(needed)}, with the room that Postgres works in. The bench takes at most ${DISK_SHARE * 100} % of the ${gb(free)} free at ${place}. ${most > 0 ? `--subjects ${most} fits; or name` : 'Name'} a folder on a larger disk by --data.`,
  };
}
