import 'reflect-metadata';
import type { ServerResponse } from 'node:http';
import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import {
  AccessModule,
  serveTwins,
  undeclaredRoutes,
  unservedOperations,
  type StatementReader,
  ownOrigins,
} from '../access/index.js';
import { ROLES, type Role } from '../context/role.js';
import { maskedAnswer } from '../http/answers/masked-answer.js';
import type { CalledRequest } from '../http/caller.js';
import { DocsModule } from '../http/docs/docs-pages.js';
import { ElementsModule } from '../http/elements/elements.controller.js';
import { failurePages } from '../http/docs/failure-page.js';
import { prefixOf } from '../http/docs/page.js';
import { ErrorFilter, type ErrorPage } from '../http/errors/errors.js';
import { FastExpressAdapter } from '../http/fast-express.adapter.js';
import { STATEMENT_SIGNER } from '../receipts/index.js';
import { observe } from '../engines/telemetry/observe.js';
import type { ApplicationOptions } from './application-options.js';
import { COMPOSITION } from './contexts.js';
import { HealthController } from './health/health.controller.js';
import { LinkedVisitors } from '../subjects/context.js';
import type { Infrastructure } from './infrastructure/infrastructure.js';
import { InfrastructureModule } from './infrastructure/infrastructure.module.js';
import { openApiDocument } from './openapi.js';
import { PortalDoorsModule } from './portal-doors.js';
import { ReadinessProbe } from './health/readiness.js';
import { OperatorHealthController } from './health/operator-health.controller.js';
import { ABOUT_PROCESS, StartController, type AboutProcess } from './health/start.controller.js';

@Module({})
class AssentModule {
  static of(infrastructure: Infrastructure, options: ApplicationOptions): DynamicModule {
    const { publicUrl, trustedProxies, localPages = false } = options;
    const { log, codec, master, shared, requests: database, lists, operators, writeLimit } = infrastructure;
    const sealer = {
      seal: (purpose: string, secret: Uint8Array) => master.sealSecret(purpose, secret).toString('base64url'),
      open: (purpose: string, sealed: string) => master.openSecret(purpose, Buffer.from(sealed, 'base64url')),
    };
    const rules = {
      operatorOf: (presented: string) => operators.verify(presented),
      operations: COMPOSITION.operations,
      visitors: new LinkedVisitors(infrastructure),
      trustedProxies,
      localPages,
      ownOrigins: ownOrigins(publicUrl),
      log: options.logger,
      ...(options.signIn && { signIn: options.signIn }),
      writeLimit,
      ...(shared && { limiter: shared.limiter, quota: shared.quota, addressSalt: master.addressSalt() }),
    };
    return {
      module: AssentModule,
      imports: [
        InfrastructureModule.of(infrastructure, options),
        CqrsModule.forRoot(),
        AccessModule.with({
          // A process that neither signs nor reads needs no keys, and is asked with none.
          inject: [{ token: STATEMENT_SIGNER, optional: true }],
          useFactory: (statements?: StatementReader) => ({
            log,
            codec,
            sealer,
            clock: options.clock,
            rules,
            database,
            lists,
            operators,
            statements,
          }),
        }),
        PortalDoorsModule,
        ...COMPOSITION.modulesOf(served(options.roles)),
        DocsModule.of({ document: () => openApiDocument(publicUrl), publicUrl }),
        ElementsModule,
      ],
      controllers: [
        HealthController,
        StartController,
        ...(options.roles.includes('write-api') ? [OperatorHealthController] : []),
      ],
      providers: [ReadinessProbe, { provide: ABOUT_PROCESS, useValue: options satisfies AboutProcess }],
    };
  }
}

/** The HTTP interface of a process, not yet listening. */
export async function createApplication(
  infrastructure: Infrastructure,
  options: ApplicationOptions,
): Promise<INestApplication> {
  const app = await NestFactory.create(
    AssentModule.of(infrastructure, options),
    new FastExpressAdapter(options.publicUrl, observe(infrastructure.metrics, options.logger), shownToCaller),
    { logger: false, bodyParser: false, abortOnError: false },
  );
  serveTwins(app.get(ModulesContainer), COMPOSITION.operations);
  requireHandlers(app.get(ModulesContainer), options.roles);
  app.useGlobalFilters(
    new ErrorFilter({
      publicUrl: options.publicUrl,
      routes: () => COMPOSITION.operations.all,
      log: options.logger,
      page: errorPages(options.publicUrl),
    }),
  );
  await app.init();
  return app;
}

/** Operators get what names a person masked, unless they call an operation that reveals it. */
function shownToCaller(response: ServerResponse, body: unknown): unknown {
  const { caller } = response.req as CalledRequest;
  if (caller?.kind !== 'operator' || typeof body !== 'object') return body;
  const operation = COMPOSITION.operations.of(caller.operation);
  if (!operation?.answers || operation.reveals) return body;
  const { contract } = operation.answers.find(({ status }) => status === response.statusCode) ?? {};
  return contract ? maskedAnswer(contract, body) : body;
}

/** The paths of operators lead to the role that writes, so it answers what they read too. */
const served = (roles: readonly Role[]): readonly Role[] =>
  roles.includes('write-api') ? [...new Set([...roles, 'read-api' as const])] : roles;

/** Pages of contexts stand first: they know who their readers are. */
function errorPages(publicUrl: string): ErrorPage {
  const isPage = (id: string): boolean => {
    const operation = COMPOSITION.operations.of(id);
    return operation?.summary === undefined || operation.alsoPage === true;
  };
  const general = failurePages(prefixOf(publicUrl), isPage);
  return (request, code, body) => COMPOSITION.errorPage(request, code, body) ?? general(request, code, body);
}

/** Throws where a handler has no operation, or, in a process that has every role, an operation has no handler. */
function requireHandlers(modules: ModulesContainer, roles: readonly Role[]): void {
  const faults = undeclaredRoutes(modules, COMPOSITION.operations);
  if (ROLES.every((role) => roles.includes(role)))
    faults.push(...unservedOperations(modules, COMPOSITION.operations).map((id) => `no module answers ${id}`));
  if (faults.length > 0) throw new Error(`Operations and handlers do not fit together:\n${faults.join('\n')}`);
}
