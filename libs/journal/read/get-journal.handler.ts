import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { OperatorTokens, RefusedSignIns, SubjectReads } from '../../access/index.js';
import { Journal } from '../../context/journal.js';
import { Database } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import type { Position, ReadProgress } from '../../kernel/index.js';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { Codec } from '../../streams/codec.js';
import type { JournalEntryDto } from '../dto.js';
import { eventSource } from './event-source.js';
import { JOURNAL_PROGRESS } from './journal.projection.js';
import { lookSource } from './look-source.js';
import { pageOfSources, type JournalPlace } from './pages.js';
import { signInSource } from './sign-in-source.js';
import type { JournalEntry, JournalSource, JournalWanted } from './sources.js';

/** How long a page waits for the rows to come as far as the caller's own write, in ms. */
const ROWS_WITHIN_MS = 1_500;

/** What operators did, newest first. */
export class GetJournal extends Query<{ entries: JournalEntryDto[]; next: JournalPlace | null }> {
  constructor(
    readonly wanted: JournalWanted,
    readonly after: JournalPlace | null,
    readonly limit: number,
    /** The caller's own last write, which is among the entries. */
    readonly seen: Position | null,
  ) {
    super();
  }
}

@QueryHandler(GetJournal)
export class GetJournalHandler implements IQueryHandler<GetJournal> {
  private readonly sources: readonly JournalSource[];

  constructor(
    database: Database,
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    journal: Journal,
    @Inject(JOURNAL_PROGRESS) private readonly progress: ReadProgress,
    private readonly reads: SubjectReads,
    private readonly refused: RefusedSignIns,
    private readonly tokens: OperatorTokens,
  ) {
    this.sources = [
      eventSource(database, log, codec, journal),
      lookSource(database),
      signInSource(database),
    ] as unknown as JournalSource[];
  }

  async execute({
    wanted,
    after,
    limit,
    seen,
  }: GetJournal): Promise<{ entries: JournalEntryDto[]; next: JournalPlace | null }> {
    if (seen !== null && !(await this.progress.reached(seen, ROWS_WITHIN_MS)))
      throw new DependencyUnavailable('read model of the journal');
    // What this process noted a moment ago is among the answers.
    await Promise.all([this.reads.write(), this.refused.write()]);
    const { found, next } = await pageOfSources(this.sources, wanted, after, limit);
    const entries = await Promise.all(
      this.sources.map((source, number) =>
        source.entries(found.flatMap((each) => (each.source === number ? [each.row] : []))),
      ),
    );
    const inOrder = found.flatMap(({ source }) => entries[source]!.shift() ?? []);
    return { entries: await this.named(inOrder), next };
  }

  /** Programs by the names that they have today. Of persons the service keeps no name. */
  private async named(entries: readonly JournalEntry[]): Promise<JournalEntryDto[]> {
    const tokens = entries.length > 0 ? await this.tokens.state() : null;
    return entries.map(({ operator: id, ...entry }) => ({
      ...entry,
      operator: id === null ? null : { id, name: tokens?.get(id)?.name ?? null },
    }));
  }
}
