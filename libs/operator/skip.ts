import { notedSkips, skipEvent } from '../following/skipped-events.js';
import { type Position, Refused, refusal } from '../kernel/index.js';
import type { Engines } from './engines.js';
import type { Operator } from './events.js';
import { recordOperation } from './operations.js';
import { stoppedGeneration } from './projections.js';

export interface Skipped {
  position: string;
  type: string | null;
  stream: string | null;
  revision: number | null;
  /** The error with which it stopped the read model; null where it does not stop it any more. */
  error: string | null;
  /** Whether every reader of the log leaves it out, and not only this read model. */
  everywhere: boolean;
}

/**
 * Leaves out the event at exactly this position. Records that first, because it cannot be taken back.
 *
 * Every reader of the log leaves out an event that this release cannot decode. Any other event only this projection leaves
 * out, and folds do not change. With `everywhere` the operator says that the event itself must not count: then every reader
 * leaves it out. That can be asked for later too.
 */
export async function skip(
  engines: Engines,
  name: string,
  position: Position,
  by: Operator,
  everywhere: boolean,
): Promise<Skipped> {
  const { type, stream, revision, error } = await leftOut(engines, name, position, everywhere);
  const isOfAll = everywhere || !(await isReadable(engines, stream, revision));
  const at = { projection: name, stream, revision, everywhere: isOfAll };
  await recordOperation(engines, {
    type: 'ProjectionSkipped',
    data: { by, ...at, position: String(position), eventType: type, error },
  });
  await skipEvent(engines.database, { ...at, position, type, by: `${by.user}@${by.host}` });
  return { position: String(position), type, stream, revision, error, everywhere: isOfAll };
}

/** The event that stops the projection, or that it has left out before. Throws Refused where its position is another. */
async function leftOut(
  engines: Engines,
  name: string,
  position: Position,
  everywhere: boolean,
): Promise<Pick<Skipped, 'type' | 'stream' | 'revision' | 'error'>> {
  if (everywhere) {
    const noted = await notedSkips(engines.database);
    const own = noted.events.find((each) => each.projection === name && each.position === position);
    if (own && !noted.has(position)) return { ...own, error: null };
  }
  const poison = (await stoppedGeneration(engines, name)).poison!;
  if (poison.position === String(position)) return poison;
  throw new Refused(
    refusal(
      'position_wrong',
      `The event that stops ${name} stands at position ${poison.position}, not at ${position}.`,
      'Look at it (assent projections status) and name its position.',
    ),
  );
}

/** Whether this release can decode the event at a position; true also where the event is not known any more. */
async function isReadable({ log, codec }: Engines, stream: string | null, revision: number | null): Promise<boolean> {
  if (stream === null || revision === null) return true;
  const [event] = await log.read(stream, { direction: 'forwards', from: revision, limit: 1 });
  try {
    if (event) codec.decode(event);
    return true;
  } catch {
    return false;
  }
}
