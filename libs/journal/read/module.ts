import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { JournalController } from './controller.js';
import { GetJournalHandler } from './get-journal.handler.js';

@Module({ imports: [CqrsModule], controllers: [JournalController], providers: [GetJournalHandler] })
export class JournalModule {}
