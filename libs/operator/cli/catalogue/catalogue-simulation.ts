import type { ImpactDto, SimulationDto } from '../../../consent/dto.js';
import type { Progress } from '../progress.js';

/** What publishing a folder would change for people, added up over all parts of the answer. */
export interface Simulation {
  at: string;
  changes: SimulationDto['changes'];
  subjects: number;
  impacts: ImpactDto[];
}

/** Asks for part after part, and shows the progress. Its memory grows with purposes and countries only. */
export async function simulated(
  ask: (cursor: string | null) => Promise<SimulationDto>,
  progress: Pick<Progress, 'show' | 'end'>,
): Promise<Simulation> {
  const summed = new Map<string, ImpactDto>();
  let subjects = 0;
  try {
    for (let cursor: string | null = null; ;) {
      const part: SimulationDto = await ask(cursor);
      subjects += part.subjects;
      for (const impact of part.impacts) add(summed, impact);
      progress.show(part.share, subjects, 'subjects');
      cursor = part.nextCursor;
      if (cursor === null) return { at: part.at, changes: part.changes, subjects, impacts: sorted(summed) };
    }
  } finally {
    progress.end();
  }
}

function add(
  summed: Map<string, ImpactDto>,
  { purpose, country, askAgain, becomeBlocked, becomeAllowed }: ImpactDto,
): void {
  const name = `${purpose} ${country ?? ''}`;
  const known = summed.get(name) ?? { purpose, country, askAgain: 0, becomeBlocked: 0, becomeAllowed: 0 };
  summed.set(name, {
    purpose,
    country,
    askAgain: known.askAgain + askAgain,
    becomeBlocked: known.becomeBlocked + becomeBlocked,
    becomeAllowed: known.becomeAllowed + becomeAllowed,
  });
}

const sorted = (summed: ReadonlyMap<string, ImpactDto>): ImpactDto[] =>
  [...summed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, impact]) => impact);
