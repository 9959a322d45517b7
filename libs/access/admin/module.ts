import { Module } from '@nestjs/common';
import { OperatorTokensController } from './operator-tokens.controller.js';
import { IdempotentRequests } from '../idempotent-requests.js';
import { SitesController } from './controller.js';

/** The operator's HTTP operations on sites and keys. Needs the AccessModule beside it. */
@Module({ controllers: [SitesController, OperatorTokensController], providers: [IdempotentRequests] })
export class AdminModule {}
