import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { FrameworksReadModule } from '../read/module.js';
import { VendorListModule } from '../vendor-list/module.js';
import { DecodeController } from './controller.js';
import { ExplainStringHandler } from './explain-string.handler.js';

/** Explains framework strings. */
@Module({
  imports: [CqrsModule, FrameworksReadModule, VendorListModule],
  controllers: [DecodeController],
  providers: [ExplainStringHandler],
})
export class DecodeModule {}
