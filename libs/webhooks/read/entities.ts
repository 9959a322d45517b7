import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../kernel/index.js';
import type { DisabledReason } from '../events.js';
import type { EndpointState } from '../state.js';

/** `webhooks.endpoint` as it is listed. The projector writes it; nothing is ever saved through a repository. */
@Entity({ schema: 'webhooks', name: 'endpoint', synchronize: false })
export class ListedEndpoint {
  @PrimaryColumn('text') id!: string;
  @Column('text') site!: string;
  @Column('text') env!: Environment;
  @Column('text') state!: EndpointState;
  @Column('text', { name: 'disabled_reason', nullable: true }) disabledReason!: DisabledReason | null;
  /** Sealed. */
  @Column('text') url!: string;
  @Column('text', { array: true }) types!: string[];
  @Column('text', { nullable: true }) description!: string | null;
  @Column('boolean', { name: 'include_identifiers' }) includeIdentifiers!: boolean;
  @Column('timestamptz', { name: 'previous_until', nullable: true }) previousUntil!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('text', { name: 'created_by' }) createdBy!: string;
  @Column('timestamptz', { name: 'changed_at' }) changedAt!: Date;
  @Column('timestamptz', { name: 'last_success_at', nullable: true }) lastSuccessAt!: Date | null;
  @Column('timestamptz', { name: 'last_failure_at', nullable: true }) lastFailureAt!: Date | null;
  @Column('timestamptz', { name: 'failing_since', nullable: true }) failingSince!: Date | null;
  @Column('int', { name: 'consecutive_failures' }) consecutiveFailures!: number;
}
