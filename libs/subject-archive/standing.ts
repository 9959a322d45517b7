import type { StandingChoice } from '../context/subject-part.js';
import { subjectStream, type Instant, type Position, type Scope } from '../kernel/index.js';
import { partStreamFold } from '../subjects/index.js';
import { foldedThrough } from './folded-through.js';
import type { ShownLog } from './log-at-hand.js';

/** What stood for a subject when the log ended, context by context, by name; `at`: the moment that is asked about. */
export async function whatStood(
  engines: ShownLog,
  scope: Scope,
  subjectId: string,
  through: Position,
  at: Instant,
): Promise<StandingChoice[]> {
  const stream = subjectStream(scope, subjectId);
  const stood = engines.timeline.parts.map(async (part) => {
    const state = await foldedThrough(engines, stream, partStreamFold(part), through);
    return part.stood(state, at).sort((a, b) => (a.about < b.about ? -1 : 1));
  });
  return (await Promise.all(stood)).flat();
}
