import { Global, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { grants, type GrantedScope } from '../access/index.js';
import type { PortalEngines } from '../context/portal-door.js';
import { refused } from '../http/errors/refused.js';
import { PORTAL_DOORS } from '../portal/context.js';
import { COMPOSITION } from './contexts.js';

const calling: PortalEngines['calling'] = (caller, id) => {
  const { scope } = COMPOSITION.operations.of(id)!;
  if (scope !== null && !grants('pk', caller.scopes as readonly GrantedScope[], scope)) throw refused('scope_missing');
  return { ...caller, operation: id };
};

/** What the parts of all contexts do for the portal. Throws where two have a method of one name. */
function portalDoors(commands: CommandBus, queries: QueryBus, modules: ModuleRef): object {
  const { timeline } = COMPOSITION;
  const doors = new Map<string, unknown>();
  for (const open of COMPOSITION.portalDoors)
    for (const [name, method] of Object.entries(open({ commands, queries, modules, timeline, calling }))) {
      if (doors.has(name)) throw new TypeError(`two contexts answer ${name} to the portal`);
      doors.set(name, method);
    }
  return Object.fromEntries(doors);
}

/** What the portal may ask of the other contexts. */
@Global()
@Module({
  providers: [{ provide: PORTAL_DOORS, inject: [CommandBus, QueryBus, ModuleRef], useFactory: portalDoors }],
  exports: [PORTAL_DOORS],
})
export class PortalDoorsModule {}
