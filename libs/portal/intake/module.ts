import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CodesModule } from '../codes/module.js';
import { AskOnPortalHandler } from './ask.handler.js';
import { PortalIntakeController } from './controller.js';
import { EnterPortalCodeHandler } from './enter-code.handler.js';
import { OptOuts } from './opt-outs.js';

/** Takes opt-outs, and carries out those that wait. */
@Module({ providers: [OptOuts], exports: [OptOuts] })
export class OptOutsModule {}

/** Takes requests that people make on pages. */
@Module({
  imports: [CqrsModule, CodesModule, OptOutsModule],
  controllers: [PortalIntakeController],
  providers: [AskOnPortalHandler, EnterPortalCodeHandler],
})
export class PortalIntakeModule {}
