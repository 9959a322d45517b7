import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PolicyController } from './controller.js';
import { GetPolicyHandler } from './get-policy.handler.js';

@Module({ imports: [CqrsModule], controllers: [PolicyController], providers: [GetPolicyHandler] })
export class PolicyReadModule {}
