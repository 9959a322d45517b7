import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PruneKeysHandler } from './retention.js';

@Module({ imports: [CqrsModule], providers: [PruneKeysHandler] })
export class KeyRetentionModule {}
