import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CodeRows } from '../codes/code-rows.js';
import { MailedCodes } from '../codes/mailed-codes.js';
import { PortalPlaces } from './places.js';
import { PortalPostController } from './post.controller.js';
import { PortalSessions } from './sessions.js';
import { PortalShowController } from './show.controller.js';

/** What the pages show, where questions are answered. */
@Module({ imports: [CqrsModule], controllers: [PortalShowController], providers: [PortalPlaces, PortalSessions] })
export class PortalShowModule {}

/** What is done on the pages, where commands are taken. */
@Module({
  imports: [CqrsModule],
  controllers: [PortalPostController],
  providers: [PortalPlaces, PortalSessions, MailedCodes, CodeRows],
})
export class PortalPostModule {}
