import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PortalTokensController } from './controller.js';
import { IssuePortalTokenHandler } from './issue-token.handler.js';

/** Lets people into their portal whom the site's own server knows. */
@Module({ imports: [CqrsModule], controllers: [PortalTokensController], providers: [IssuePortalTokenHandler] })
export class PortalTokensModule {}
