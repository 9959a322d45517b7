import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { FrameworksReadModule } from '../read/module.js';
import { GppController } from './controller.js';
import { GetGppStringHandler } from './get-gpp-string.handler.js';

/** Strings of IAB GPP. */
@Module({ imports: [CqrsModule, FrameworksReadModule], controllers: [GppController], providers: [GetGppStringHandler] })
export class GppModule {}
