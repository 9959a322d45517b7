import type { ModuleRef } from '@nestjs/core';
import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Caller } from '../http/caller.js';
import type { SubjectTimeline } from './subject-timeline.js';

/** With what a context answers the portal: the commands and queries that its operations use. */
export interface PortalEngines {
  commands: CommandBus;
  queries: QueryBus;
  /** Providers of the process's modules, looked up when they are needed: not every process has all of them. */
  modules: ModuleRef;
  timeline: SubjectTimeline;
  /** The caller as one of an operation, held against its scope as the guard does. Throws Refused with `scope_missing`. */
  calling: (caller: Caller, operation: string) => Caller;
}

/** What a context does for the portal. Every method has a name of its own among all contexts. */
export type PortalDoor<Door extends object> = (engines: PortalEngines) => Door;

/** What reads for the portal: it never misses an acknowledged write. */
export const FRESH = { fresh: true, after: null, ifNoneMatch: undefined } as const;
