import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Commands } from '../../commands/commands.js';
import { Works } from '../../commands/works.js';
import { ArchiveFetchController, ArchiveLinkController } from '../archive/controllers.js';
import { ArchiveLinks } from '../archive/archive-links.js';
import { ArchiveMaker } from '../archive/archive-maker.js';
import { ArchiveRows } from '../archive/archive-rows.js';
import { DATA_REQUESTS } from '../intake.js';
import { DataRequestStreamsModule } from '../streams.module.js';
import { Completions } from './completions.js';
import { DataRequestsController } from './controllers.js';
import { OpenDataRequests } from './data-requests.js';
import { ArchiveEffect } from './effects/archive-effect.js';
import { DecisionsEffect } from './effects/decisions-effect.js';
import { Effects } from './effects/effects.js';
import { RectificationEffect } from './effects/rectification-effect.js';
import { ErasureEffect, RestrictionEffect } from './effects/subject-effects.js';
import { HandleDueRequestsHandler } from './handle-due-requests.handler.js';
import { OperatorMails } from './operator-mails.js';
import { RequestChanges } from './request-changes.js';
import { RequestIndex } from './request-index.js';
import { RequestIntake } from './request-intake.js';
import { DataRequestCalls } from './requests.js';

/** Takes data requests in and changes them, for this context and for others. */
@Global()
@Module({
  imports: [DataRequestStreamsModule],
  providers: [
    { provide: DATA_REQUESTS, useExisting: OpenDataRequests },
    OpenDataRequests,
    RequestIntake,
    RequestIndex,
    RequestChanges,
    OperatorMails,
    Completions,
    Works,
    Effects,
    ArchiveEffect,
    ArchiveMaker,
    ArchiveRows,
    ArchiveLinks,
    DecisionsEffect,
    ErasureEffect,
    RestrictionEffect,
    RectificationEffect,
  ],
  exports: [
    DATA_REQUESTS,
    ArchiveLinks,
    RequestIntake,
    RequestIndex,
    RequestChanges,
    OperatorMails,
    Completions,
    DataRequestStreamsModule,
  ],
})
export class DataRequestsModule {}

@Module({
  imports: [DataRequestsModule],
  controllers: [DataRequestsController, ArchiveLinkController, ArchiveFetchController],
  providers: [DataRequestCalls, Commands],
})
export class DataRequestsWriteModule {}

/** What time demands. */
@Module({ imports: [CqrsModule, DataRequestsModule], providers: [HandleDueRequestsHandler] })
export class DataRequestsDispatcherModule {}
