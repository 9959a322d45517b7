import { Module } from '@nestjs/common';
import { ConsoleController } from './controller.js';

@Module({ controllers: [ConsoleController] })
export class ConsoleModule {}
