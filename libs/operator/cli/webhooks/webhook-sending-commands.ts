import { InvalidArgumentError, Option, type Command } from 'commander';
import type {
  RequestedWebhookTestDto,
  RetriedWebhookDeliveryDto,
  WebhookDeliveryDto,
  WebhookReplayDto,
} from '../../../webhooks/dto.js';
import { WrongUsage } from '../failure.js';
import { toTheMinute } from '../instants.js';
import type { Surroundings } from '../surroundings.js';
import type { Cell, CellLine, Format } from '../table.js';
import { endpointPath, placePath, type Place } from './webhook-paths.js';

interface Replayed extends Place {
  since?: string;
  fromSequence?: number;
  type?: string[];
}

/** Characters of an answer in a table. */
const ANSWER_SHOWN_MAX = 60;

/** Commands that send events and show the outcome. `command` adds one under `assent webhooks`. */
export function addWebhookSendingCommands(
  command: (name: string, description: string) => Command,
  { show, server }: Surroundings,
): void {
  const stateOf = ({ state, nextAttemptAt }: WebhookDeliveryDto): CellLine[] => [
    show.coloured(COLOURS[state]!, state),
    ...(nextAttemptAt ? [`next ${toTheMinute(nextAttemptAt)}`] : []),
  ];

  command('test <id>', 'send a webhook.test to an endpoint').action(async (id: string, place: Place) => {
    const asked = await (await server()).post<RequestedWebhookTestDto>(`${endpointPath(place, id)}/test`, {});
    show.result(asked, () =>
      show.line(`${asked.eventId} will be sent. How it went: assent webhooks deliveries ${id}${inWords(place)}`),
    );
  });

  command(
    'deliveries <id>',
    'what was sent to an endpoint or waits to be sent, newest first, and how each attempt went',
  )
    .option('--limit <count>', 'how many', wholeNumber, 50)
    .action(async (id: string, { limit, ...place }: Place & { limit: number }) => {
      const page = await (
        await server()
      ).get<{ data: WebhookDeliveryDto[] }>(`${endpointPath(place, id)}/deliveries?limit=${limit}`);
      show.result(page, () =>
        show.table(
          ['DELIVERY', 'TYPE', 'STATE', 'ATTEMPTS'],
          page.data.map((each): Cell[] => [
            [each.id, `sequence ${each.sequence}`],
            each.type,
            stateOf(each),
            each.attempts.map(attemptInWords),
          ]),
        ),
      );
    });

  command('retry <delivery>', 'try a delivery again now, also where it was delivered or given up').action(
    async (id: string, place: Place) => {
      const path = `${placePath(place)}/webhook-deliveries/${encodeURIComponent(id)}/retry`;
      const asked = await (await server()).post<RetriedWebhookDeliveryDto>(path, {});
      show.result(asked, () => show.line(`${asked.id} will be tried again.`));
    },
  );

  command('replay <id>', 'send earlier events to an endpoint again, up to now')
    .addOption(new Option('--since <time>', 'what was recorded from then on').conflicts('fromSequence'))
    .option('--from-sequence <sequence>', 'from this sequence on; 0 for everything', wholeNumber)
    .option('--type <type...>', 'only these of the events that the endpoint wants')
    .action(async (id: string, { since, fromSequence, type, ...place }: Replayed) => {
      if (since === undefined && fromSequence === undefined)
        throw new WrongUsage('Name either --since or --from-sequence.');
      const asked = await (
        await server()
      ).post<WebhookReplayDto>(`${endpointPath(place, id)}/replay`, {
        ...(since !== undefined && { since }),
        ...(fromSequence !== undefined && { fromSequence }),
        ...(type && { types: type }),
      });
      show.result(asked, () =>
        show.line(`${asked.id}: sequences ${asked.fromSequence} to ${asked.throughSequence} will be sent again.`),
      );
    });
}

const COLOURS: Readonly<Record<string, Format>> = { DELIVERED: 'green', FAILED: 'red', WAITING: 'yellow' };

/** `2026-11-22T09:30Z 503 in 48 ms: Try again later.` */
const attemptInWords = ({ at, status, reason, durationMs, answer }: WebhookDeliveryDto['attempts'][number]): string =>
  `${toTheMinute(at)} ${status ?? reason} in ${durationMs} ms${answer ? `: ${answer.slice(0, ANSWER_SHOWN_MAX)}` : ''}`;

const inWords = ({ site, env }: Place): string => ` --site ${site} --env ${env}`;

function wholeNumber(text: string): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('It is a whole number from 0.');
  return number;
}
