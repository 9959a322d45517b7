import { Option, type Command } from 'commander';
import type { ListedWebhookEndpointDto, WebhookEndpointWithSecretDto } from '../../../webhooks/dto.js';
import { WrongUsage } from '../failure.js';
import { toTheMinute } from '../instants.js';
import { envOption, siteOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';
import type { Cell, CellLine } from '../table.js';
import { endpointPath, placePath, type Place } from './webhook-paths.js';
import { addWebhookSendingCommands } from './webhook-sending-commands.js';

interface Wanted extends Place {
  url?: string;
  type?: string[];
  description?: string;
  identifiers?: string;
}

type Endpoint = Omit<ListedWebhookEndpointDto, 'health'> & Partial<Pick<ListedWebhookEndpointDto, 'health'>>;

const HEAD = ['ENDPOINT', 'URL', 'TYPES', 'STATE', 'LAST TAKEN'];

export function addWebhookCommands(program: Command, surroundings: Surroundings): void {
  const { show, server } = surroundings;
  const webhooks = program.command('webhooks').description('endpoints where other systems receive events');
  const command = (name: string, description: string): Command =>
    webhooks.command(name).description(description).addOption(siteOption()).addOption(envOption());

  const stateOf = ({ state, disabledReason, health }: Endpoint): CellLine[] => {
    if (state === 'DISABLED') return [show.coloured('red', `DISABLED: ${disabledReason}`)];
    if (state === 'PAUSED') return [show.coloured('yellow', 'PAUSED')];
    const since = health?.failingSince;
    return [since ? show.coloured('red', `fails since ${toTheMinute(since)}`) : show.coloured('green', 'ENABLED')];
  };
  const row = (endpoint: Endpoint): Cell[] => [
    [endpoint.id, endpoint.description ?? ''].filter(Boolean),
    endpoint.url,
    endpoint.types.join(' '),
    stateOf(endpoint),
    toTheMinute(endpoint.health?.lastSuccessAt ?? null),
  ];
  const table = (endpoints: readonly Endpoint[]): void => show.table(HEAD, endpoints.map(row));
  const showSecret = (endpoint: WebhookEndpointWithSecretDto): void => {
    table([endpoint]);
    show.line(`\n${show.paint('bold', endpoint.secret)}\n\nGive it to the receiver now: it is not shown again.`);
  };

  command('list', 'all endpoints, newest first')
    .addOption(new Option('--state <state>', 'only those that are').choices(['enabled', 'paused', 'disabled']))
    .action(async ({ state, ...place }: Place & { state?: string }) => {
      const filter: Record<string, string> = state === undefined ? {} : { state: state.toUpperCase() };
      const data = await (await server()).all<Endpoint>(`${placePath(place)}/webhook-endpoints`, filter);
      show.result({ data, nextCursor: null, hasMore: false }, () => table(data));
    });

  command('show <id>', 'one endpoint, and how deliveries to it are going').action(async (id: string, place: Place) => {
    const endpoint = await (await server()).get<Endpoint>(endpointPath(place, id));
    show.result(endpoint, () => {
      table([endpoint]);
      const { health } = endpoint;
      if (health && health.consecutiveFailures > 0)
        show.line(`\n${health.consecutiveFailures} attempts failed since ${health.failingSince}.`);
    });
  });

  command('create <url>', 'send events there from now on; the secret that signs them is shown this once')
    .requiredOption('--type <type...>', 'which events: types, groups such as consent.*, or *')
    .option('--description <text>', 'what it is for')
    .addOption(identifiersOption())
    .action(async (url: string, wanted: Wanted) => {
      const created = await (
        await server()
      ).post<WebhookEndpointWithSecretDto>(`${placePath(wanted)}/webhook-endpoints`, { ...settingsOf(wanted), url });
      show.result(created, () => showSecret(created));
    });

  command('change <id>', 'change an endpoint: what is not named stays as it is')
    .option('--url <url>', 'send events there instead')
    .option('--type <type...>', 'all the events that it is sent')
    .option('--description <text>', 'what it is for')
    .addOption(identifiersOption())
    .action(async (id: string, wanted: Wanted) => {
      const settings = settingsOf(wanted);
      if (Object.keys(settings).length === 0) throw new WrongUsage('Name what is to be changed.');
      await change(wanted, id, settings);
    });

  command('pause <id>', 'send nothing until it is resumed; nothing is missed').action((id: string, place: Place) =>
    change(place, id, { state: 'PAUSED' }),
  );

  command('resume <id>', 'send again, and what happened meanwhile; also where it was disabled').action(
    (id: string, place: Place) => change(place, id, { state: 'ENABLED' }),
  );

  command('delete <id>', 'send nothing more, and drop what waits to be sent').action(
    async (id: string, place: Place) => {
      const deleted = await (await server()).delete<{ id: string; deletedAt: string }>(endpointPath(place, id));
      show.result(deleted, () => show.line(`${deleted.id} is deleted.`));
    },
  );

  command('rotate-secret <id>', 'sign with another secret, shown this once; for 24 hours the one before signs too')
    .option('--reason <reason>', 'why, for the record')
    .action(async (id: string, { reason, ...place }: Place & { reason?: string }) => {
      const path = `${endpointPath(place, id)}/rotate-secret`;
      const rotated = await (
        await server()
      ).post<WebhookEndpointWithSecretDto>(path, reason === undefined ? {} : { reason });
      show.result(rotated, () => {
        showSecret(rotated);
        show.line(`The secret before signs too until ${rotated.previousSecretUntil}.`);
      });
    });

  addWebhookSendingCommands(command, surroundings);

  async function change(place: Place, id: string, wanted: object): Promise<void> {
    const changed = await (await server()).patch<Endpoint>(endpointPath(place, id), wanted);
    show.result(changed, () => table([changed]));
  }
}

const identifiersOption = (): Option =>
  new Option('--identifiers <whether>', 'name the identifiers of subjects in clear').choices(['yes', 'no']);

const settingsOf = ({ url, type, description, identifiers }: Wanted): object => ({
  ...(url !== undefined && { url }),
  ...(type && { types: type }),
  ...(description !== undefined && { description: description === '' ? null : description }),
  ...(identifiers !== undefined && { includeIdentifiers: identifiers === 'yes' }),
});
