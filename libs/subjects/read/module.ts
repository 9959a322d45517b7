import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { RECEIPT_HOLDERS } from '../../receipts/index.js';
import { SubjectStreamsModule } from '../streams.module.js';
import { SubjectsReadController } from './controller.js';
import { ErasureReceipts } from './erasure-receipts.js';
import { GetSubjectHandler } from './get-subject.handler.js';
import { ListSubjectReadsHandler } from './list-reads.handler.js';
import { PersonController } from './person.controller.js';
import { FamilyReceipts } from './receipt-holders.js';

/** Reads subjects, and all that happened to them. */
@Global()
@Module({
  imports: [CqrsModule, SubjectStreamsModule],
  controllers: [SubjectsReadController, PersonController],
  providers: [
    GetSubjectHandler,
    ListSubjectReadsHandler,
    ErasureReceipts,
    { provide: RECEIPT_HOLDERS, useClass: FamilyReceipts },
  ],
  exports: [SubjectStreamsModule],
})
export class SubjectsReadModule {}
