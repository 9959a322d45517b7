import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CodesModule } from '../codes/module.js';
import { PortalEntryController } from './entry.controller.js';
import { PortalPlaces } from './places.js';
import { PortalPostController } from './post.controller.js';
import { PortalSessions } from './sessions.js';
import { PortalShowController } from './show.controller.js';

/** What the pages show, where questions are answered. */
@Module({
  imports: [CqrsModule],
  controllers: [PortalEntryController, PortalShowController],
  providers: [PortalPlaces, PortalSessions],
})
export class PortalShowModule {}

/** What is done on the pages, where commands are taken. */
@Module({
  imports: [CqrsModule, CodesModule],
  controllers: [PortalPostController],
  providers: [PortalPlaces, PortalSessions],
})
export class PortalPostModule {}
