import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CATALOGUE, type Catalogue, type CatalogueState } from '../../../catalogue/index.js';
import { ifApplied, type AppliedState } from '../../../catalogue/services.js';
import {
  CLOCK,
  epochMs,
  hashOf,
  isRefusal,
  madeAtMs,
  parseInstant,
  refusal,
  Refused,
  type Clock,
  type Instant,
  type Scope,
} from '../../../kernel/index.js';
import { readCursor, writeCursor } from '../../../http/list.js';
import { Vault } from '../../../vault/vault.js';
import { needsOwnCountry, openedCountry } from '../../circumstances.js';
import { ImpactCount } from '../../simulation/impact.js';
import type { ConsentState } from '../../state.js';
import { KnownSubjects } from '../known-subjects.js';
import { SIMULATED_ROWS_MAX, type SimulateCatalogueDto, type SimulationDto } from '../../simulation/simulation-dto.js';

/** Subjects that are weighed in one go: others wait for an answer meanwhile. */
const SUBJECTS_AT_ONCE = 500;

/** What publishing files would change for the subjects of a site. Nothing is written. */
export class SimulateCatalogue extends Query<SimulationDto> {
  constructor(
    readonly scope: Scope,
    readonly input: SimulateCatalogueDto,
  ) {
    super();
  }
}

/** Where a simulation stands: all of its answers are about the same moment, files and catalogue. */
interface Begun {
  publishedAt: Instant;
  first: string;
  last: string;
}

@QueryHandler(SimulateCatalogue)
export class SimulateCatalogueHandler implements IQueryHandler<SimulateCatalogue> {
  constructor(
    private readonly known: KnownSubjects,
    private readonly vault: Vault,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    scope,
    input: { cursor, limit = SIMULATED_ROWS_MAX, ...input },
  }: SimulateCatalogue): Promise<SimulationDto> {
    const before = this.catalogue.of(scope);
    const fingerprint = hashOf([before, input]);
    const begun: Begun =
      cursor === undefined ? { publishedAt: this.clock(), first: '', last: '' } : goneOn(cursor, fingerprint);
    const applied = applicable(input, before, begun.publishedAt);
    const at = input.at === undefined ? applied.inForceFrom : parseInstant(input.at)!;
    const count = new ImpactCount(before, applied.state, at);
    let [first, last, subjects]: [string, string | null, number] = [begun.first, begun.last, 0];
    for (let left = limit; left > 0 && last !== null; left -= SUBJECTS_AT_ONCE) {
      const page = await this.known.page(scope, last, { rows: Math.min(left, SUBJECTS_AT_ONCE) });
      first ||= page.last ?? '';
      for (const { state, ownCountry } of await this.opened(page.subjects)) count.add(state, ownCountry);
      subjects += page.subjects.length;
      last = page.last;
    }
    return {
      at,
      changes: [...applied.changes] as SimulationDto['changes'],
      subjects,
      share: last === null ? 1 : shareOf(first, last, begun.publishedAt),
      impacts: count.impacts,
      nextCursor: last === null ? null : writeCursor([begun.publishedAt, first, last, fingerprint]),
      hasMore: last !== null,
    };
  }

  /** Each with its own country in clear, where that decides. */
  private opened(
    subjects: readonly { subjectId: string; state: ConsentState }[],
  ): Promise<{ state: ConsentState; ownCountry: string | null }[]> {
    return Promise.all(
      subjects.map(async ({ subjectId, state }) => ({
        state,
        ownCountry: needsOwnCountry(state) ? openedCountry(state, await this.vault.cipherOf(subjectId)) : null,
      })),
    );
  }
}

/** What the files would come to. Throws Refused where they would not be published. */
function applicable(input: SimulateCatalogueDto, before: CatalogueState, at: Instant): AppliedState {
  const applied = ifApplied(input, before, at);
  if (isRefusal(applied)) throw new Refused(applied);
  return applied;
}

function goneOn(cursor: string, fingerprint: string): Begun {
  const [publishedAt, first, last, begunWith] = readCursor(cursor, ['string', 'string', 'string', 'string'] as const);
  if (begunWith !== fingerprint)
    throw new Refused(
      refusal(
        'state_conflict',
        'The catalogue or the files are others than when this simulation was begun.',
        'Begin again without a cursor.',
        [{ path: 'cursor', message: 'belongs to other files, or to an older catalogue' }],
      ),
    );
  return { publishedAt, first, last };
}

/** How much of the time from the first subject until now lies before the last one that was looked at: ids are ordered by time. */
function shareOf(first: string, last: string, now: Instant): number {
  const [begin, here] = [madeAtMs(first), madeAtMs(last)];
  const whole = epochMs(now) - begin;
  return whole <= 0 ? 0 : Math.max(0, Math.min(1, (here - begin) / whole));
}
