import { Inject, Module } from '@nestjs/common';
import { Command, CommandHandler, CqrsModule, type ICommandHandler } from '@nestjs/cqrs';
import { Database } from '../../engines/database/database.js';

/** Injection token: for how many days the access log is kept. */
export const READS_RETENTION_DAYS = Symbol('ReadsRetentionDays');

/** Rows that are deleted in one statement. */
const PAGE = 5_000;
/** Pause after the last due row was deleted. */
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

const PRUNE_SIGN_INS = {
  name: 'operator_sign_in_prune',
  text: 'delete from write.operator_sign_in where at < now() - make_interval(days => $1)',
};

/** Deletes one page of the access log that is older than the retention, and sign-ins as old. */
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
    if (row!.pruned === PAGE) return;
    await this.database.query(PRUNE_SIGN_INS, [this.days]);
    this.restsUntilMs = performance.now() + REST_MS;
  }
}

/** Deletes old rows of the access log as the operator configured. */
@Module({ imports: [CqrsModule], providers: [PruneReadsHandler] })
export class ReadsRetentionModule {}
