import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SubjectStreamsModule } from '../streams.module.js';
import { SubjectsReadController } from './controller.js';
import { GetSubjectHandler } from './get-subject.handler.js';

@Module({
  imports: [CqrsModule, SubjectStreamsModule],
  controllers: [SubjectsReadController],
  providers: [GetSubjectHandler],
})
export class SubjectsReadModule {}
