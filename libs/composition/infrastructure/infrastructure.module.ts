import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CATALOGUE } from '../../catalogue/index.js';
import { SITE_RULES } from '../../policy/index.js';
import { siteRules } from '../site-rules.js';
import { mayAt, TO_READ_PERSONS } from '../../context/roles.js';
import { READS_RETENTION_DAYS } from '../../access/context.js';
import { Codec } from '../../streams/codec.js';
import { SnapshotStore } from '../../streams/snapshot-store.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { PROVIDER_LIST, UPSTREAM_ALLOWED, LIST_SETTINGS } from '../../consent-strings/context.js';
import { SubjectTimeline } from '../../context/subject-timeline.js';
import { Journal } from '../../context/journal.js';
import { WebhookTypes } from '../../context/webhook-types.js';
import { CLOCK, systemClock } from '../../kernel/index.js';
import { EDGE_HEADERS } from '../../engines/config/edge-headers.js';
import { CONSOLE_IS_ON } from '../../console/context.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { Database } from '../../engines/database/database.js';
import { Repositories } from '../../engines/database/repositories.js';
import type { IsAllowed } from '../../engines/outbound/judged-lookup.js';
import { MAIL_HAS_SERVER, MAIL_SENDER, OPERATOR_ADDRESS } from '../../engines/mail/mail.js';
import { OUTBOX_SOURCE, type OutboxSource } from '../../deliveries/mail/outbox-pages.js';
import { MasterKey } from '../../vault/master-key.js';
import { Vault } from '../../vault/vault.js';
import { RECEIPT_SOURCES } from '../../receipts/context.js';
import { ERASED_TOO, SUBJECT_PARTS, SUBJECT_TAGS, type ErasedToo, type SubjectTags } from '../../subjects/context.js';
import { faultOfTarget, ADDRESS_RULES, addressRules, type AddressRulesOf } from '../../webhooks/context.js';
import type { ApplicationOptions } from '../application-options.js';
import { BUNDLE_RELEASE, type BundleRelease } from '../../operator/context.js';
import { COMPOSITION } from '../contexts.js';
import { RELEASE_PARTS } from '../release-parts.js';
import { Infrastructure } from './infrastructure.js';
import { outboxOf } from '../mail.js';

/** Hands modules the engines of the process, its settings, and what all contexts together bring. */
@Global()
@Module({})
export class InfrastructureModule {
  static of(infrastructure: Infrastructure, options: ApplicationOptions): DynamicModule {
    const providers = [
      ...enginesOf(infrastructure),
      ...settingsOf(infrastructure, options),
      ...aboutAllContexts(infrastructure),
    ];
    return { module: InfrastructureModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}

const enginesOf = (infrastructure: Infrastructure) => [
  { provide: Infrastructure, useValue: infrastructure },
  { provide: Database, useValue: infrastructure.requests },
  { provide: Repositories, useValue: infrastructure.lists.repositories },
  { provide: MasterKey, useValue: infrastructure.master },
  { provide: Vault, useValue: infrastructure.vault },
  { provide: Codec, useValue: infrastructure.codec },
  { provide: WebhookTypes, useValue: COMPOSITION.webhooks },
  { provide: Journal, useValue: COMPOSITION.journal },
  { provide: EVENT_LOG, useValue: infrastructure.log },
  { provide: SnapshotStore, useValue: infrastructure.snapshots },
  { provide: CATALOGUE, useValue: infrastructure.catalogue },
  { provide: SITE_RULES, useValue: siteRules(infrastructure.catalogue) },
  ...infrastructure.readModels.flatMap(({ model, tags, progress }) => [
    ...(model.progress ? [{ provide: model.progress, useValue: progress }] : []),
    ...(model.tags && tags ? [{ provide: model.tags.token, useValue: tags }] : []),
  ]),
  ...infrastructure.sinks.map(({ sink, progress }) => ({ provide: sink.progress, useValue: progress })),
];

const settingsOf = (
  infrastructure: Infrastructure,
  {
    publicUrl,
    port,
    edgeHeaders,
    mail,
    readsRetentionDays,
    webhooks,
    vendorLists,
    providers,
    console = true,
    clock,
  }: ApplicationOptions,
) => [
  { provide: CLOCK, useValue: clock ?? systemClock },
  { provide: PUBLIC_URL, useValue: publicUrl },
  { provide: CONSOLE_IS_ON, useValue: console },
  { provide: EDGE_HEADERS, useValue: edgeHeaders },
  { provide: ADDRESS_RULES, useValue: addressRules(webhooks, { publicUrl, port }) },
  { provide: LIST_SETTINGS, useValue: vendorLists },
  { provide: UPSTREAM_ALLOWED, useValue: upstreamAllowed(addressRules(webhooks, { publicUrl, port })) },
  { provide: PROVIDER_LIST, useValue: providers },
  { provide: READS_RETENTION_DAYS, useValue: readsRetentionDays },
  { provide: MAIL_SENDER, useValue: mail.sender },
  { provide: OPERATOR_ADDRESS, useValue: mail.operator },
  { provide: MAIL_HAS_SERVER, useValue: mail.outbox === 'NONE' },
  {
    provide: OUTBOX_SOURCE,
    useValue: {
      outbox: outboxOf(infrastructure),
      readers: mail.outbox,
      mayRead: async (presented) => {
        const operator = await infrastructure.operators.verify(presented);
        return operator !== null && mayAt(operator.roles, TO_READ_PERSONS, { site: '*', env: 'test' });
      },
    } satisfies OutboxSource,
  },
];

/**
 * A list is fetched from where webhooks of test environments may go: an operator's own network where it is allowed. The
 * setting that holds the address names its port as well.
 */
const upstreamAllowed =
  (rulesOf: AddressRulesOf): IsAllowed =>
  (target) =>
    [null, 'LOCAL_PORT'].includes(faultOfTarget(target, rulesOf('test')));

function aboutAllContexts({ requests, master, readModels }: Infrastructure) {
  const erasedToo: ErasedToo = (erased) => COMPOSITION.forget({ database: requests, master }, erased);
  const tags: SubjectTags = { drop: (subjectIds) => readModels.forEach((model) => model.tags?.drop(subjectIds)) };
  return [
    { provide: SubjectTimeline, useValue: COMPOSITION.timeline },
    { provide: SUBJECT_PARTS, useValue: COMPOSITION.parts },
    { provide: RECEIPT_SOURCES, useValue: COMPOSITION.receipts },
    { provide: BUNDLE_RELEASE, useValue: RELEASE_PARTS satisfies BundleRelease },
    { provide: ERASED_TOO, useValue: [erasedToo] },
    { provide: SUBJECT_TAGS, useValue: tags },
  ];
}
