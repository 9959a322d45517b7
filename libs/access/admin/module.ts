import { Module } from '@nestjs/common';
import { OperatorTokensController } from './operator-tokens.controller.js';
import { IdempotentRequests } from '../idempotent-requests.js';
import { SitesController } from './controller.js';

/** What operators do to sites and keys over HTTP; needs the AccessModule beside it. */
@Module({ controllers: [SitesController, OperatorTokensController], providers: [IdempotentRequests] })
export class AdminModule {}
