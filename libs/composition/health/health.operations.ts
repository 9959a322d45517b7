import { BY_ANYBODY, type OperationDeclaration } from '../../access/index.js';
import { Numeric, OneOf, Text } from '../../http/contract/fields.js';

const POSITION = { maxLength: 20, example: '4211' } as const;

export class LivenessDto {
  @OneOf(['live'], { description: 'The process runs.', example: 'live' }) status!: 'live';
}

export class ReadinessDto {
  @OneOf(['ready'], { description: 'The instance takes requests.', example: 'ready' }) status!: 'ready';
  @Text({ description: 'Where the log ends; null while it does not answer.', ...POSITION, nullable: true })
  logPosition!: string | null;
  @Text({ description: 'Up to where the log is in all read models.', ...POSITION }) readPosition!: string;
  @Numeric({
    description:
      'How long ago the oldest event was recorded that is not in all read models yet, in seconds; 0 where all events are, null while the log does not answer.',
    min: 0,
    nullable: true,
    example: 0,
  })
  lagSeconds!: number | null;
  @Text({ description: 'Up to where this instance knows sites and keys.', ...POSITION }) keysPosition!: string;
  @Text({ description: 'Up to where this instance knows the catalogue.', ...POSITION }) cataloguePosition!: string;
}

/** Orchestrators take an instance whose probe is refused out of service, so no caller may use up a limit that it shares with them. */
const PROBE = { ...BY_ANYBODY, limited: false, tag: 'Probes', refusals: [] } as const;

/** The probes of orchestrators, load balancers and monitoring. They need no key, and their answers say nothing about data. */
export const HEALTH_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...PROBE,
    id: 'livez',
    path: '/livez',
    summary: 'Whether the process runs',
    description: 'Looks no further: restarting the process would not bring a database back.',
    answers: [{ status: 200, description: 'It runs.', contract: LivenessDto, example: { status: 'live' } }],
  },
  {
    ...PROBE,
    id: 'readyz',
    path: '/readyz',
    summary: 'Whether the instance takes requests',
    description:
      '503 while it starts, while it stops, and while it cannot do what its role is for: a write-api cannot write, a read-api cannot answer from rows, or answers from rows that lag by more than 60 seconds. `hint` says what it waits for. A read-api is ready without the log: what needs it (`fresh`, histories) answers 503 by itself.',
    answers: [
      {
        status: 200,
        description: 'It takes requests. Positions are those of the log, as decimal text.',
        contract: ReadinessDto,
        example: {
          status: 'ready',
          logPosition: '4211',
          readPosition: '4211',
          lagSeconds: 0,
          keysPosition: '4211',
          cataloguePosition: '4211',
        },
      },
    ],
  },
  {
    ...PROBE,
    limited: true,
    id: 'metrics',
    path: '/metrics',
    summary: 'Metrics',
    description:
      'Counts and times in the text form of Prometheus; nothing that a caller wrote. One text is answered for a second, to all who ask.',
    answers: [{ status: 200, description: 'All metrics of this process.', mediaType: 'text/plain' }],
  },
];
