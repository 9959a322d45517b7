import { Module } from '@nestjs/common';
import { PolicyTableController } from './controller.js';

@Module({ controllers: [PolicyTableController] })
export class PolicyTableModule {}
