import { Module } from '@nestjs/common';
import { OperatorTokensController } from './operator-tokens.controller.js';
import { Commands } from '../../commands/commands.js';
import { OperatorsController } from './operators.controller.js';
import { SessionController } from './session.controller.js';
import { OidcController } from '../oidc/controller.js';
import { RolesController } from './roles.controller.js';
import { SitesController } from './controller.js';

/** The operator's HTTP operations on sites and keys. Needs the AccessModule beside it. */
@Module({
  controllers: [
    SitesController,
    OperatorTokensController,
    RolesController,
    OperatorsController,
    SessionController,
    OidcController,
  ],
  providers: [Commands],
})
export class AdminModule {}
