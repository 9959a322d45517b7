import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BlankCodesHandler } from './blank-codes.handler.js';
import { CodeRows } from './code-rows.js';
import { MailedCodes } from './mailed-codes.js';

/** Mailed codes, for the contexts that let people show that a mailbox is theirs. */
@Module({ providers: [CodeRows, MailedCodes], exports: [CodeRows, MailedCodes] })
export class CodesModule {}

/** Codes that are over. */
@Module({ imports: [CqrsModule, CodesModule], providers: [BlankCodesHandler] })
export class BlankCodesModule {}
