import {
  Global,
  Inject,
  Module,
  RequestMethod,
  type DynamicModule,
  type FactoryProvider,
  type MiddlewareConsumer,
  type ModuleMetadata,
  type NestModule,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import type { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { epochMs, systemClock, type Clock } from '../kernel/index.js';
import type { Queries } from '../engines/database/database.js';
import { ACCESS_RULES, type AccessRules } from './access-rules.js';
import { OperatorLists, type ListedRows } from './admin/lists.js';
import { hasCapability } from './callers/callers.js';
import { preflight } from './callers/cors.js';
import { EndedSessions } from './operators/ended-sessions.js';
import { RefusedSignIns } from './operators/sign-ins.js';
import { SessionRows } from './operators/session-rows.js';
import { DemoSite } from './operators/demo-site.js';
import { AccessGuard } from './guard.js';
import { IdentityTokens } from './tokens/identity-tokens.js';
import { KeyDirectory } from './sites/key-directory.js';
import { KeyUse } from './sites/key-use.js';
import { OperatorSessions } from './operators/operator-sessions.js';
import { OperatorTokens } from './operators/operator-tokens.js';
import { PageOrigins } from './callers/page-origins.js';
import { PortalTokens, type StatementReader } from './tokens/portal-tokens.js';
import { SubjectReads } from './reads/subject-reads.js';
import { DailyRecordQuota, RECORD_QUOTA } from './limits/record-quota.js';
import type { Sealer } from './tokens/sealer.js';
import { Sites } from './sites/sites.js';

/** What the guard and the admin interface need from the process. */
export interface AccessDependencies {
  log: EventLog;
  codec: Codec;
  sealer: Sealer;
  /** By which sites are changed and reads are noted. Default: that of the system. */
  clock?: Clock | undefined;
  rules: AccessRules;
  /** Holds rows of sites and keys, the last use of keys and the access log; absent: nothing of these is kept. */
  database?: Queries;
  /** Absent: `rules.operatorOf` recognises operators. */
  operators?: OperatorTokens;
  /** Rows of the operator's lists; absent: the lists come from memory. */
  lists?: ListedRows;
  /** Verifies statements that this service signed; absent: portal tokens are refused. */
  statements?: StatementReader | undefined;
}

export interface AccessWiring extends Pick<ModuleMetadata, 'imports'> {
  inject?: FactoryProvider['inject'];
  useFactory: (...injected: never[]) => AccessDependencies | Promise<AccessDependencies>;
}

const DEPENDENCIES = Symbol('AccessDependencies');

/**
 * Guards every handler of the process, answers preflights, and offers `KeyDirectory` (which callers are known) and
 * `Sites` (registers sites, issues and revokes keys). Create the application with `bodyParser: false`: the guard reads
 * bodies, once it knows how large they may be.
 */
@Global()
@Module({})
export class AccessModule implements NestModule, OnModuleInit, OnModuleDestroy {
  constructor(
    @Inject(KeyDirectory) private readonly directory: KeyDirectory,
    @Inject(KeyUse) private readonly uses: KeyUse,
    @Inject(SubjectReads) private readonly reads: SubjectReads,
    @Inject(RefusedSignIns) private readonly refused: RefusedSignIns,
    @Inject(ACCESS_RULES) private readonly rules: AccessRules,
  ) {}

  static with({ imports = [], inject = [], useFactory }: AccessWiring): DynamicModule {
    const from = <T>(
      provide: FactoryProvider['provide'],
      make: (dependencies: AccessDependencies) => T,
    ): FactoryProvider => ({ provide, inject: [DEPENDENCIES], useFactory: make });
    return {
      module: AccessModule,
      imports,
      providers: [
        { provide: DEPENDENCIES, inject, useFactory: useFactory as FactoryProvider['useFactory'] },
        from(ACCESS_RULES, ({ rules }) => rules),
        from(RECORD_QUOTA, ({ rules }) => rules.quota ?? new DailyRecordQuota()),
        from(KeyDirectory, ({ log, codec, database }) => new KeyDirectory(log, codec, { rows: database })),
        {
          provide: OperatorLists,
          inject: [KeyDirectory, DEPENDENCIES],
          useFactory: (directory: KeyDirectory, { lists }: AccessDependencies) =>
            new OperatorLists(directory, lists ?? null),
        },
        from(KeyUse, ({ database }) => new KeyUse(database ?? null)),
        from(
          SubjectReads,
          ({ database, clock = systemClock }) => new SubjectReads(database ?? null, () => epochMs(clock())),
        ),
        from(Sites, ({ log, codec, sealer, clock }) => new Sites(log, codec, sealer, clock)),
        from(OperatorTokens, ({ operators }) => operators ?? null),
        from(SessionRows, ({ database }) => new SessionRows(database ?? null)),
        from(RefusedSignIns, ({ database }) => new RefusedSignIns(database ?? null, systemClock)),
        from(EndedSessions, ({ database }) => new EndedSessions(database ?? null)),
        {
          provide: OperatorSessions,
          inject: [SessionRows, RefusedSignIns, DEPENDENCIES],
          useFactory: (rows: SessionRows, refused: RefusedSignIns, { sealer, rules }: AccessDependencies) => {
            const { operatorOf: verify, ownOrigins: origins = new Set(), signIn } = rules;
            return new OperatorSessions({
              sealer,
              verify,
              origins,
              rows,
              refused,
              clock: systemClock,
              onlyFirst: signIn?.tokens === 'FIRST',
            });
          },
        },
        {
          provide: IdentityTokens,
          inject: [KeyDirectory, PortalTokens, DEPENDENCIES],
          useFactory: (directory: KeyDirectory, portal: PortalTokens | null, { sealer }: AccessDependencies) =>
            new IdentityTokens(directory, sealer, portal),
        },
        {
          provide: PortalTokens,
          inject: [KeyDirectory, DEPENDENCIES],
          useFactory: (directory: KeyDirectory, { statements }: AccessDependencies) =>
            statements ? new PortalTokens(directory, statements) : null,
        },
        DemoSite,
        AccessGuard,
        { provide: APP_GUARD, useExisting: AccessGuard },
      ],
      exports: [
        ACCESS_RULES,
        OperatorLists,
        RECORD_QUOTA,
        KeyDirectory,
        KeyUse,
        SubjectReads,
        Sites,
        OperatorTokens,
        EndedSessions,
        SessionRows,
        RefusedSignIns,
        DemoSite,
        OperatorSessions,
        PortalTokens,
        AccessGuard,
      ],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    const origins = new PageOrigins(this.directory, this.rules);
    const answer = (request: Request, response: Response, next: NextFunction): void => {
      const { origin, 'access-control-request-headers': wanted } = request.headers;
      const operations = this.rules.operations.at(request.path);
      const isOpen = operations.some((operation) => operation.anyOrigin || hasCapability(operation, request));
      const isListed = origin !== undefined && origins.isListed(origin);
      const headers = preflight(operations, { origin, wanted: wanted as string | undefined, isOpen, isListed });
      if (headers === null) return next();
      if (origin !== undefined && !isListed && !isOpen) origins.notePreflight(origin);
      response.status(204).set(headers).end();
    };
    consumer.apply(answer).forRoutes({ path: '{*any}', method: RequestMethod.OPTIONS });
  }

  onModuleInit(): void {
    this.directory.start();
    this.uses.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.directory.stop(), this.uses.stop(), this.reads.stop(), this.refused.stop()]);
  }
}
