import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TimelineController } from './controller.js';
import { GetTimelineHandler } from './get-timeline.handler.js';
import { SideEvents } from './side-events.js';

@Module({ imports: [CqrsModule], controllers: [TimelineController], providers: [GetTimelineHandler, SideEvents] })
export class TimelineModule {}
