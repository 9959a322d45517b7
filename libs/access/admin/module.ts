import { Module } from '@nestjs/common';
import { SitesController } from './controller.js';

/** What operators do to sites and keys over HTTP; needs the AccessModule beside it. */
@Module({ controllers: [SitesController] })
export class AdminModule {}
