import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PreferencePagesController } from './controller.js';

/** Serves the pages; whoever knows links answers its two queries. */
@Module({ imports: [CqrsModule], controllers: [PreferencePagesController] })
export class PreferencePagesModule {}
