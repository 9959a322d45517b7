import { Module } from '@nestjs/common';
import { Commands } from '../../commands/commands.js';
import { SigningKeysController } from './controller.js';
import { SigningKeyChanges } from './signing-key-changes.js';

/** Rotates and revokes the keys that sign receipts. */
@Module({ controllers: [SigningKeysController], providers: [SigningKeyChanges, Commands] })
export class SigningKeysWriteModule {}
