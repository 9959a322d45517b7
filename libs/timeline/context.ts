import { defineContext } from '../context/define-context.js';
import { defineReadModel } from '../context/read-model.js';
import { TIMELINE_OPERATIONS } from './operations.js';
import { TimelineModule } from './read/module.js';
import { sideEventsProjection, SIDE_EVENTS_PROGRESS } from './read/side-events.projection.js';

/** All that happened to one person, in one list. */
export const timelineContext = defineContext({
  name: 'timeline',
  readModels: (timeline) => [
    defineReadModel({ projection: sideEventsProjection(timeline), progress: SIDE_EVENTS_PROGRESS }),
  ],
  operations: TIMELINE_OPERATIONS,
  modules: { 'read-api': [TimelineModule] },
});
