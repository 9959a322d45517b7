import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PreferencePagesController } from './controller.js';

/** Serves the pages. The module that knows links answers the two queries. */
@Module({ imports: [CqrsModule], controllers: [PreferencePagesController] })
export class PreferencePagesModule {}
