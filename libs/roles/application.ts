import 'reflect-metadata';
import { Module, type DynamicModule, type INestApplication, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import type { Logger } from '../platform/telemetry/logger.js';
import { AccessModule } from '../access/access.module.js';
import { SitesController } from '../access/admin/controller.js';
import { operatorVerifier } from '../access/authenticate.js';
import { OPERATIONS } from '../access/operations.js';
import { CatalogueReadModule } from '../catalogue/read/module.js';
import { CatalogueWriteModule } from '../catalogue/write/module.js';
import { consentPart } from '../consent/part.js';
import { ConsentReadModule } from '../consent/read/module.js';
import { ConsentWriteModule } from '../consent/write/module.js';
import { DocsModule } from '../platform/http/docs-pages.js';
import { dropSubjects } from '../platform/deliveries/queue.js';
import { ErrorFilter } from '../platform/http/errors.js';
import { FastExpressAdapter } from '../platform/http/fast-express.adapter.js';
import { OutboxModule } from '../platform/mail/outbox-pages.js';
import type { Sender } from '../platform/mail/mail.js';
import { observe } from '../platform/telemetry/observe.js';
import { errorPage } from '../preferences/pages/errors.js';
import { PreferencePagesModule } from '../preferences/pages/module.js';
import { ConfirmationIndex } from '../preferences/confirmation-index.js';
import { PreferenceLinksModule } from '../preferences/links.module.js';
import { preferencePart } from '../preferences/part.js';
import { PreferenceReadModule } from '../preferences/read/module.js';
import { LinkPagesModule } from '../preferences/read/link-pages.module.js';
import { ConfirmationModule } from '../preferences/write/confirmation.module.js';
import { PreferenceWriteModule } from '../preferences/write/module.js';
import { ReceiptsModule } from '../receipts/module.js';
import { SubjectsReadModule } from '../subjects/read/module.js';
import { SubjectsWriteModule } from '../subjects/write/module.js';
import { openApiDocument } from './documents.js';
import { HealthController } from './health.controller.js';
import { Infrastructure, InfrastructureModule } from './infrastructure.js';
import { INPUT_CONTRACTS } from './input-contracts.js';
import { outboxOf } from './mail.js';
import type { Role } from './role.js';

/** What each role serves over HTTP, beside probes and documentation. */
function modulesOf(
  { roles, publicUrl, mail }: ApplicationOptions,
  infrastructure: Infrastructure,
): (Type | DynamicModule)[] {
  const { tags, preferenceTags, requests, master } = infrastructure;
  const outbox = outboxOf(infrastructure);
  const erasedToo = [
    async (subjectIds: readonly string[]) => void (await dropSubjects(requests, subjectIds)),
    (subjectIds: readonly string[]) => outbox.dropSubjects(subjectIds),
    (subjectIds: readonly string[]) => new ConfirmationIndex(requests).dropSubjects(subjectIds),
  ];
  const links = PreferenceLinksModule.with({ publicUrl });
  const confirmations = ConfirmationModule.with({ sender: mail.sender });
  const outboxPages =
    mail.outbox === 'NONE'
      ? []
      : [
          OutboxModule.of({
            outbox,
            open: mail.outbox === 'THIS_MACHINE',
            isOperator: operatorVerifier(master.operatorToken()),
          }),
        ];
  const subjects = SubjectsWriteModule.with({
    parts: SUBJECT_PARTS_KNOWN,
    erasedToo,
    issuer: publicUrl,
    tags: [tags, preferenceTags],
  });
  const modules: Record<Role, (Type | DynamicModule)[]> = {
    'write-api': [
      ConsentWriteModule,
      PreferenceWriteModule,
      links,
      confirmations,
      subjects,
      CatalogueWriteModule,
      ReceiptsModule,
    ],
    'read-api': [
      ConsentReadModule,
      PreferenceReadModule,
      SubjectsReadModule,
      links,
      LinkPagesModule,
      PreferencePagesModule,
      ...outboxPages,
      CatalogueReadModule,
      ReceiptsModule,
    ],
    projector: [],
    // Time's commands are those of the write side.
    dispatcher: [ConsentWriteModule, PreferenceWriteModule, links, confirmations, subjects, ReceiptsModule],
  };
  return [...new Set(roles.flatMap((role) => modules[role]))];
}

/** The contexts that know something of a subject, for whoever merges. */
const SUBJECT_PARTS_KNOWN = [consentPart, preferencePart];

export interface ApplicationOptions {
  roles: readonly Role[];
  publicUrl: string;
  trustedProxies: readonly string[];
  /** `outbox`: who may read mails where they go to no server. */
  mail: { sender: Sender; outbox: 'NONE' | 'THIS_MACHINE' | 'OPERATOR' };
  logger: Logger;
}

@Module({})
class AssentModule {
  static of(infrastructure: Infrastructure, options: ApplicationOptions): DynamicModule {
    const { roles, publicUrl, trustedProxies } = options;
    const { log, master, shared, requests: database, lists } = infrastructure;
    const sealer = {
      seal: (purpose: string, secret: Uint8Array) => master.sealSecret(purpose, secret).toString('base64url'),
      open: (purpose: string, sealed: string) => master.openSecret(purpose, Buffer.from(sealed, 'base64url')),
    };
    const rules = {
      isOperator: operatorVerifier(master.operatorToken()),
      contracts: INPUT_CONTRACTS,
      trustedProxies,
      ...(shared && { limiter: shared.limiter, quota: shared.quota, addressSalt: master.addressSalt() }),
    };
    return {
      module: AssentModule,
      imports: [
        InfrastructureModule.of(infrastructure),
        CqrsModule.forRoot(),
        AccessModule.with({ useFactory: () => ({ log, sealer, rules, database, lists }) }),
        ...modulesOf(options, infrastructure),
        DocsModule.of({ document: () => openApiDocument(publicUrl), publicUrl }),
      ],
      controllers: [HealthController, ...(roles.includes('write-api') ? [SitesController] : [])],
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
    new FastExpressAdapter(options.publicUrl, observe(infrastructure.metrics, options.logger)),
    { logger: false, bodyParser: false, abortOnError: false },
  );
  app.useGlobalFilters(
    new ErrorFilter({ publicUrl: options.publicUrl, routes: () => OPERATIONS, log: options.logger, page: errorPage }),
  );
  await app.init();
  return app;
}
