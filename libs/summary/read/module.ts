import { Module } from '@nestjs/common';
import { SummaryController } from './controller.js';
import { Summaries } from './summaries.js';

@Module({ controllers: [SummaryController], providers: [Summaries] })
export class SummaryModule {}
