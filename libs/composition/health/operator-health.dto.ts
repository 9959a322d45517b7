import { Flag, ListOf, Nested, Numeric, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';

const VERDICTS = ['ok', 'warn', 'fail'] as const;
const POSITION = { maxLength: 20, example: '4211' } as const;
const COUNT = { min: 0, example: 0 } as const;
const STATES = ['running', 'building', 'awaiting', 'stopped', 'missing'] as const;
/** More findings, read models or queues than any installation has. */
const MANY = 500;

export class FindingDto {
  @Text({ description: 'What was looked at.', example: 'clocks', maxLength: 200 }) check!: string;
  @OneOf(VERDICTS, { description: 'Whether all is well.', example: 'ok' }) verdict!: (typeof VERDICTS)[number];
  @Text({ description: 'What was found.', example: 'database is 0 ms ahead of this host', maxLength: 2000 })
  found!: string;
  @Text({ description: 'What to do; null where all is well.', example: null, maxLength: 2000, nullable: true })
  fix!: string | null;
}

export class PoisonDto {
  @Text({ description: 'Position of the event in the log.', ...POSITION }) position!: string;
  @Text({
    description: 'Its type; null where it is not known.',
    example: 'ConsentRecorded',
    maxLength: 200,
    nullable: true,
  })
  type!: string | null;
  @Text({ description: 'Why it cannot be taken in.', example: 'unknown type', maxLength: 2000, nullable: true })
  error!: string | null;
}

export class ProjectionHealthDto {
  @Text({
    description: 'Name of the read model, or of what else follows the log.',
    example: 'consent_state',
    maxLength: 100,
  })
  name!: string;
  @Whole({ description: 'Version of its rows.', min: 0, example: 3 }) version!: number;
  @Whole({ description: 'How often this version was built anew.', ...COUNT }) rebuild!: number;
  @Flag({ description: 'Whether readers see these rows; false: they are being built beside those.', example: true })
  live!: boolean;
  @OneOf(STATES, {
    description:
      '`awaiting`: a newer release may know an event that this one does not. `stopped`: an event cannot be taken in. `missing`: no process has made it yet.',
    example: 'running',
  })
  state!: (typeof STATES)[number];
  @Text({ description: 'Up to where it holds the log; `-1`: nothing yet.', ...POSITION }) position!: string;
  @Text({ description: 'Where the log ends.', ...POSITION }) head!: string;
  @Numeric({
    description:
      'Positions of the log a second since the look before, where one was made within ten minutes; else null.',
    min: 0,
    nullable: true,
    example: null,
  })
  rate!: number | null;
  @Numeric({ description: 'Age of the oldest event that it lacks, in seconds; 0: it lacks none.', min: 0, example: 0 })
  lagSeconds!: number;
  @Whole({
    description: 'Events of the log that it has not seen; null where the log does not count.',
    ...COUNT,
    nullable: true,
  })
  lagEvents!: number | null;
  @Nested(() => PoisonDto, { description: 'The event that stops it.', nullable: true }) poison!: PoisonDto | null;
}

export class LeftOutDto {
  @Text({ description: 'The read model that it stopped.', example: 'consent_state', maxLength: 100 })
  projection!: string;
  @Text({ description: 'Position of the event.', ...POSITION }) position!: string;
  @Flag({ description: 'Left out of everything, not of this read model alone.', example: false }) everywhere!: boolean;
  @Text({ description: 'Type of the event.', example: 'ConsentRecorded', maxLength: 200, nullable: true })
  type!: string | null;
}

export class QueueHealthDto {
  @Text({ description: 'What is delivered.', example: 'webhook', maxLength: 100 }) queue!: string;
  @Whole({ description: 'Deliveries that are not finished.', ...COUNT }) open!: number;
  @Numeric({ description: 'Age of the oldest, in seconds.', min: 0, example: 0 }) oldestSeconds!: number;
}

export class LastBackupDto {
  @Timestamp({ description: 'When it was made.' }) at!: string;
  @Whole({ description: 'Tables in it.', ...COUNT }) tables!: number;
  @Whole({ description: 'Rows in it.', ...COUNT }) rows!: number;
}

export class LastLedgerVerificationDto {
  @Timestamp({ description: 'When it was done.' }) at!: string;
  @Whole({ description: 'Leaves that were recomputed.', ...COUNT }) leaves!: number;
  @Whole({ description: 'What did not fit.', ...COUNT }) breaks!: number;
}

export class HealthDto {
  @OneOf(VERDICTS, { description: 'The worst of the findings.', example: 'ok' }) status!: (typeof VERDICTS)[number];
  @Timestamp({ description: 'When it was looked at: one answer is kept for ten seconds.' }) checkedAt!: string;
  @Text({ description: 'Version of the service.', example: '0.1.0', maxLength: 40 }) release!: string;
  @ListOf(() => 'string', { description: 'Roles of the process that answers.', example: ['write-api'], maxItems: 4 })
  roles!: string[];
  @ListOf(() => FindingDto, { description: 'What `assent doctor` would say of the engines.', maxItems: MANY })
  findings!: FindingDto[];
  @ListOf(() => ProjectionHealthDto, { description: 'All that follows the log.', maxItems: MANY })
  projections!: ProjectionHealthDto[];
  @ListOf(() => LeftOutDto, {
    description: 'Events that operators leave out for good, the newest first.',
    maxItems: 100,
  })
  skipped!: LeftOutDto[];
  @ListOf(() => QueueHealthDto, { description: 'What waits to be delivered.', maxItems: MANY })
  queues!: QueueHealthDto[];
  @Nested(() => LastBackupDto, {
    description:
      'The last `assent backup`; null where this database knows of none. Other copies of the engines are not known.',
    nullable: true,
  })
  lastBackup!: LastBackupDto | null;
  @Nested(() => LastLedgerVerificationDto, { description: 'The last `assent ledger verify`.', nullable: true })
  ledgerVerified!: LastLedgerVerificationDto | null;
}
