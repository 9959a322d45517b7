import { Module } from '@nestjs/common';
import { IdempotentRequests } from '../../access/index.js';
import { SigningKeysController } from './controller.js';
import { SigningKeyChanges } from './signing-key-changes.js';

/** Rotates and revokes the keys that sign receipts. */
@Module({ controllers: [SigningKeysController], providers: [SigningKeyChanges, IdempotentRequests] })
export class SigningKeysWriteModule {}
