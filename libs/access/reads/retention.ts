import { Inject, Module } from '@nestjs/common';
import { Command, CommandHandler, CqrsModule, type ICommandHandler } from '@nestjs/cqrs';
import { Database } from '../../engines/database/database.js';

/** Injection token: for how many days it is kept who read of whom. */
export const READS_RETENTION_DAYS = Symbol('ReadsRetentionDays');

/** Rows that are deleted in one statement. */
const PAGE = 5_000;
/** After the last row that was due, so long until they are looked for again. */
const REST_MS = 3_600_000;

const PRUNE = {
  name: 'subject_reads_prune',
  text: `with due as materialized (
           select ctid from write.subject_reads where hour < now() - make_interval(days => $1) limit ${PAGE}
         ), gone as (
           delete from write.subject_reads where ctid = any(array(select ctid from due)) returning 1
         )
         select (select count(*)::int from gone) as pruned`,
};

/** Delete what was kept long enough of who read of whom, a page of it. */
export class PruneReads extends Command<void> {}

@CommandHandler(PruneReads)
export class PruneReadsHandler implements ICommandHandler<PruneReads> {
  private restsUntilMs = 0;

  constructor(
    private readonly database: Database,
    @Inject(READS_RETENTION_DAYS) private readonly days: number,
  ) {}

  async execute(): Promise<void> {
    if (performance.now() < this.restsUntilMs) return;
    const [row] = await this.database.query<{ pruned: number }>(PRUNE, [this.days]);
    if (row!.pruned < PAGE) this.restsUntilMs = performance.now() + REST_MS;
  }
}

/** Keeps the access log as long as the operator wants it, and no longer. */
@Module({ imports: [CqrsModule], providers: [PruneReadsHandler] })
export class ReadsRetentionModule {}
