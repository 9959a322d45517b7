import { Inject, Injectable } from '@nestjs/common';
import { Commands, type ChangedBy } from '../../commands/commands.js';
import type { Happened } from '../../streams/stream.js';
import { type Refusal } from '../../kernel/index.js';
import { invalid } from '../../http/errors/refused.js';
import { MasterKey } from '../../vault/master-key.js';
import { ADDRESS_RULES, type AddressRulesOf } from '../endpoints/address-rules.js';
import { refusalOfUrl } from '../endpoints/allowed-url.js';
import type {
  ChangeWebhookEndpointDto,
  CreateWebhookEndpointDto,
  DeletedWebhookEndpointDto,
  RotateWebhookSecretDto,
  WebhookEndpointDto,
  WebhookEndpointWithSecretDto,
} from '../endpoints/dto.js';
import { WebhookTypes } from '../../context/webhook-types.js';
import type { WebhookEndpointEvent } from '../events.js';
import { openSecret, openUrl } from '../sealed-fields.js';
import { secretText } from '../sending/signature.js';
import { endpointOf } from '../state.js';
import { issuesOfPatterns } from '../types/type-patterns.js';
import { endpointView } from '../view.js';
import type { Call } from './call.js';
import { WebhookEndpoints, type EndpointsDone } from './webhook-endpoints.js';

/** Carries out requests about endpoints over HTTP, of operators and of sites, and answers them. Throws Refused. */
@Injectable()
export class EndpointRequests {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly commands: Commands,
    private readonly master: MasterKey,
    private readonly types: WebhookTypes,
    @Inject(ADDRESS_RULES) private readonly rulesOf: AddressRulesOf,
  ) {}

  async create(call: Call<CreateWebhookEndpointDto>): Promise<WebhookEndpointWithSecretDto> {
    const { url, types, description = null, includeIdentifiers = false } = call.input;
    const done = await this.change(call, (by) => {
      const refused = this.refusedSettings(call.input, call);
      return refused ?? this.endpoints.create(call.caller, { url, types, description, includeIdentifiers }, by);
    });
    const { endpointId, sealedSecret } = only(done, 'WebhookEndpointCreated');
    return this.withSecret(done, endpointId, sealedSecret);
  }

  async update(call: Call<ChangeWebhookEndpointDto>, endpointId: string): Promise<WebhookEndpointDto> {
    const done = await this.change(call, (by) => {
      const refused = this.refusedSettings(call.input, call);
      return refused ?? this.endpoints.change(call.caller, endpointId, call.input, by);
    });
    return this.view(done, endpointId);
  }

  async rotateSecret(call: Call<RotateWebhookSecretDto>, endpointId: string): Promise<WebhookEndpointWithSecretDto> {
    const done = await this.change(call, (by) =>
      this.endpoints.rotateSecret(call.caller, endpointId, call.input.reason ?? null, by),
    );
    return this.withSecret(done, endpointId, only(done, 'WebhookSecretRotated').sealedSecret);
  }

  async delete(call: Call<null>, endpointId: string): Promise<DeletedWebhookEndpointDto> {
    const done = await this.change(call, (by) => this.endpoints.delete(call.caller, endpointId, by));
    return { id: endpointId, deletedAt: only(done, 'WebhookEndpointDeleted').deletedAt };
  }

  /** Carries it out at most once under the key of the request, and says in the headers where that stands. */
  change(
    call: Call<unknown>,
    carryOut: (by: ChangedBy) => Refusal | Promise<EndpointsDone | Refusal>,
  ): Promise<EndpointsDone> {
    return this.commands.change<EndpointsDone>(call, async (by) => carryOut(by));
  }

  private refusedSettings(
    { url, types }: { url?: string; types?: readonly string[] },
    { caller }: Call<unknown>,
  ): Refusal | null {
    requireKnown(types ?? [], this.types);
    return url === undefined ? null : refusalOfUrl(url, caller.env, this.rulesOf);
  }

  private view({ state }: EndpointsDone, endpointId: string): WebhookEndpointDto {
    const endpoint = endpointOf(state, endpointId)!;
    return endpointView(endpoint, openUrl(this.master, endpointId, endpoint.sealedUrl));
  }

  private withSecret(done: EndpointsDone, endpointId: string, sealed: string): WebhookEndpointWithSecretDto {
    return { ...this.view(done, endpointId), secret: secretText(openSecret(this.master, endpointId, sealed)) };
  }
}

/** Throws Refused where a pattern names no type of the catalogue. */
export function requireKnown(types: readonly string[], { names }: WebhookTypes): void {
  const issues = issuesOfPatterns(types, names, 'types');
  if (issues.length > 0)
    throw invalid(issues, 'Send types as GET /v1/webhook-events lists them, groups such as consent.*, or *.');
}

type OfType<T> = Extract<WebhookEndpointEvent, { type: T }>;

/** What the one event says that was made of a request. */
export const only = <T extends WebhookEndpointEvent['type']>(done: EndpointsDone, type: T): OfType<T>['data'] =>
  happened(done, type).data as OfType<T>['data'];

/** The one event that was made of a request. */
export function happened<T extends WebhookEndpointEvent['type']>(
  { events }: EndpointsDone,
  type: T,
): Happened<OfType<T>> {
  const event = events.find((each) => each.type === type);
  if (!event) throw new Error(`${type} was to be recorded, and was not`);
  return event as Happened<OfType<T>>;
}
