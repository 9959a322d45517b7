import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../kernel/index.js';
import type { DataRequestStateName, DataRequestType } from '../events.js';
import type { DataRequest } from '../state.js';
import { dataRequestsProjection } from './projection.js';

/** `read.data_requests` as it is listed. Its projection makes the table and writes the rows; nothing is ever saved here. */
@Entity({ schema: 'read', name: dataRequestsProjection.name, synchronize: false })
export class ListedDataRequestRow {
  @PrimaryColumn('text') id!: string;
  @Column('text') site!: string;
  @Column('text') env!: Environment;
  @Column('text', { name: 'subject_id' }) subjectId!: string;
  @Column('text') type!: DataRequestType;
  @Column('text') state!: DataRequestStateName;
  @Column('boolean', { name: 'is_open' }) isOpen!: boolean;
  @Column('text', { nullable: true }) assignee!: string | null;
  @Column('timestamptz', { name: 'received_at' }) receivedAt!: Date;
  @Column('timestamptz', { name: 'due_at', nullable: true }) dueAt!: Date | null;
  @Column('json') request!: DataRequest;
}
