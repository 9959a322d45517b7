import { Global, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { isRefusal, referenceText, Refused } from '../kernel/index.js';
import { PORTAL_DOORS, type PortalDoors } from '../portal/doors.js';
import { CreateSubject } from '../subjects/write/create-subject.handler.js';
import { Resolver } from '../subjects/write/resolver.js';

/** What the portal may ask of the other contexts, by the commands and queries that their operations use. */
@Global()
@Module({
  providers: [
    {
      provide: PORTAL_DOORS,
      inject: [CommandBus, ModuleRef],
      useFactory: (commands: CommandBus, modules: ModuleRef): PortalDoors => ({
        subjectOf: async (caller, reference) => {
          const resolver = modules.get(Resolver, { strict: false });
          const found =
            reference.kind === 'subject'
              ? await resolver.resolve(caller, referenceText(reference), 'subject')
              : await resolver.find(caller, reference);
          if (isRefusal(found)) throw new Refused(found);
          if (found !== null) return found;
          const { kind, value } = reference;
          const { answer } = await commands.execute(
            new CreateSubject(caller, { identifiers: [{ kind, value }] }, null),
          );
          return answer.subject.id;
        },
      }),
    },
  ],
  exports: [PORTAL_DOORS],
})
export class PortalDoorsModule {}
