import { InvalidArgumentError, Option, type Command } from 'commander';
import type {
  ArchiveLinkDto,
  DataRequestDto,
  DataRequestPlanDto,
  ListedDataRequestDto,
} from '../../../data-requests/dto.js';
import {
  CANCELLATION_REASONS,
  DATA_REQUEST_STATES,
  DATA_REQUEST_TYPES,
  HOLD_REASONS,
  REJECTION_REASONS,
  REQUEST_SOURCES,
  REQUEST_VERIFICATIONS,
} from '../../../data-requests/index.js';
import { IDENTIFIER_KINDS } from '../../../kernel/index.js';
import { toTheMinute } from '../instants.js';
import { envOption, siteOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';
import type { Cell, CellLine } from '../table.js';
import { placePath, type Place } from '../webhooks/webhook-paths.js';

type Request = ListedDataRequestDto;
type Noted = Place & { note?: string };

const DAY_MS = 86_400_000;
/** A request is yellow in this many days before its due date. */
const SOON_DAYS = 7;
const HEAD = ['REQUEST', 'TYPE', 'STATE', 'RECEIVED', 'DUE'];

const requestPath = (place: Place, id: string): string => `${placePath(place)}/data-requests/${encodeURIComponent(id)}`;
const lower = (values: readonly string[]): string[] => values.map((value) => value.toLowerCase());

export function addRequestCommands(program: Command, { show, server }: Surroundings): void {
  const requests = program.command('requests').description('what people ask about the data that is kept of them');
  const command = (name: string, description: string): Command =>
    requests.command(name).description(description).addOption(siteOption()).addOption(envOption());

  const dueOf = ({ dueAt, extendedDueAt, overdue, closedAt, clock }: Request): CellLine[] => {
    const due = extendedDueAt ?? dueAt;
    if (closedAt !== null) return [due === null ? '' : toTheMinute(due)];
    if (!clock.running) return [show.coloured('yellow', `stands still since ${toTheMinute(clock.pausedSince)}`)];
    if (due === null) return ['no date by law'];
    const days = Math.ceil((Date.parse(due) - Date.now()) / DAY_MS);
    if (overdue) return [show.coloured('red', toTheMinute(due)), show.coloured('red', 'overdue')];
    const colour = days <= SOON_DAYS ? 'yellow' : 'green';
    return [
      show.coloured(colour, toTheMinute(due)),
      show.coloured(colour, `in ${days} ${days === 1 ? 'day' : 'days'}`),
    ];
  };
  const row = (request: Request): Cell[] => [
    [request.id, request.subject.id],
    [request.type, [request.regulation, request.jurisdiction?.country].filter(Boolean).join(' ')],
    [
      request.completing ? `${request.state}, being completed` : request.state,
      request.reasonCode ?? request.holdReason ?? '',
    ],
    toTheMinute(request.receivedAt),
    dueOf(request),
  ];
  const table = (found: readonly Request[]): void => show.table(HEAD, found.map(row));
  const details = ({ details: said, corrections, requester, note, effect }: DataRequestDto): void => {
    const lines = [
      said && `Asked: ${said}`,
      requester.type !== 'SELF' &&
        `By ${requester.type.toLowerCase()}: ${requester.name ?? ''} ${requester.evidence ?? ''}`,
      ...corrections.map(
        ({ kind, field, value, replaces }) => `Correct: ${field ?? kind} ${wrongToRight(replaces, value)}`,
      ),
      note && `Note: ${note}`,
      effect?.receiptId && `Erased: receipt ${effect.receiptId}`,
      effect?.archive && `Archive: ${effect.archive.bytes.toLocaleString('en')} bytes, sha256 ${effect.archive.sha256}`,
      effect?.recordIds && `Recorded: ${effect.recordIds.length} decisions`,
    ].filter((line) => typeof line === 'string' && line !== '');
    if (lines.length > 0) show.line(`\n${lines.join('\n')}`);
  };
  const shown = (request: DataRequestDto): void =>
    show.result(request, () => {
      table([request]);
      details(request);
    });
  const post = async (place: Place, id: string, verb: string, body?: object): Promise<void> =>
    shown(await (await server()).post<DataRequestDto>(`${requestPath(place, id)}/${verb}`, body ?? {}));

  command('list', 'the queue, by due date: red what is overdue, yellow what is due within a week')
    .addOption(
      new Option('--state <state>', 'only those in this state; open: all that wait for the requester or for you')
        .choices(['open', 'all', ...lower(DATA_REQUEST_STATES)])
        .default('open'),
    )
    .addOption(new Option('--type <type>', 'only those of this type').choices(lower(DATA_REQUEST_TYPES)))
    .option('--overdue', 'only open ones that should have been answered')
    .option('--due-before <time>', 'only those that are due before then')
    .option('--subject <ref>', 'only those about this subject')
    .action(
      async (
        wanted: Place & { state: string; type?: string; overdue?: true; dueBefore?: string; subject?: string },
      ) => {
        const { state, type, overdue, dueBefore, subject } = wanted;
        const filter: Record<string, string> = {
          ...(state !== 'all' && { state: state.toUpperCase() }),
          ...(type !== undefined && { type: type.toUpperCase() }),
          ...(overdue && { overdue: 'true' }),
          ...(dueBefore !== undefined && { dueBefore }),
          ...(subject !== undefined && { subject }),
        };
        const data = await (await server()).all<Request>(`${placePath(wanted)}/data-requests`, filter);
        show.result({ data, nextCursor: null, hasMore: false }, () => table(data));
      },
    );

  command('show <id>', 'one request, with what was said').action(async (id: string, place: Place) =>
    shown(await (await server()).get<DataRequestDto>(requestPath(place, id))),
  );

  command('open <subject>', 'take a request in that came by letter, mail or phone')
    .addOption(
      new Option('--type <type>', 'what is requested').choices(lower(DATA_REQUEST_TYPES)).makeOptionMandatory(),
    )
    .addOption(new Option('--source <source>', 'how it came').choices(lower(REQUEST_SOURCES)).default('post'))
    .option('--country <country>', 'where the requester is: its law sets the dates')
    .option('--region <region>', 'region of that country, such as US-CA')
    .option('--received-at <time>', 'when it came; default: now')
    .option('--details <text>', 'what exactly, in the words of the requester')
    .action(
      async (
        subject: string,
        wanted: Place & {
          type: string;
          source: string;
          country?: string;
          region?: string;
          receivedAt?: string;
          details?: string;
        },
      ) => {
        const { type, source, country, region, receivedAt, details: said } = wanted;
        const body = {
          subject,
          type: type.toUpperCase(),
          source: source.toUpperCase(),
          ...(country !== undefined && { jurisdiction: { country, ...(region !== undefined && { region }) } }),
          ...(receivedAt !== undefined && { receivedAt }),
          ...(said !== undefined && { details: said }),
        };
        const opened = await (await server()).post<DataRequestDto>(`${placePath(wanted)}/data-requests`, body);
        show.result(opened, () => {
          table([opened]);
          if (opened.duplicateOf) show.line('\nThis one is open already; nothing was added.');
        });
      },
    );

  command('verify <id>', 'it is known now that the subject sent it')
    .addOption(new Option('--method <method>', 'how').choices(lower(REQUEST_VERIFICATIONS)).default('operator'))
    .action((id: string, { method, ...place }: Place & { method: string }) =>
      post(place, id, 'verify', { method: method.toUpperCase() }),
    );

  command('start <id>', 'note that you work on it from now on').action((id: string, place: Place) =>
    post(place, id, 'start'),
  );

  command('hold <id>', 'let it wait; the period may stand still while the requester is waited for')
    .addOption(new Option('--reason <reason>', 'why').choices(lower(HOLD_REASONS)).makeOptionMandatory())
    .option('--note <text>', 'for the record')
    .action((id: string, { reason, note, ...place }: Noted & { reason: string }) =>
      post(place, id, 'hold', { reason: reason.toUpperCase(), ...(note !== undefined && { note }) }),
    );

  command('resume <id>', 'go on with it').action((id: string, place: Place) => post(place, id, 'resume'));

  command('extend <id>', 'extend its period once, as the law of the place allows')
    .option('--note <text>', 'why, as the requester will read it')
    .action((id: string, { note, ...place }: Noted) => post(place, id, 'extend', note === undefined ? {} : { note }));

  command('complete <id>', 'do what it is about, and close it')
    .option('--dry-run', 'only say what would be done')
    .option('--partially', 'a part of it had to be refused')
    .option('--note <text>', 'for the record')
    .option(
      '--correct <what=right>',
      'put right instead of what the requester asked for; repeatable: email=ada@example.net, country=AT, locale=de, a path of a preference=true',
      collected,
    )
    .option('--replace <kind:wrong=right>', 'an identifier that takes the place of a wrong one; repeatable', collected)
    .option('--remove <kind:wrong>', 'an identifier that is not the subject’s; repeatable', collected)
    .action(
      async (
        id: string,
        { dryRun, partially, note, correct, replace, remove, ...place }: Noted & Corrected & Completing,
      ): Promise<void> => {
        const corrections = correctionsOf({ correct, replace, remove });
        if (dryRun) return plan(place, id, corrections);
        const outcome = partially ? { outcome: 'PARTIALLY_COMPLETED' } : {};
        await post(place, id, 'complete', { ...outcome, ...(note !== undefined && { note }), ...corrections });
      },
    );

  command('archive-link <id>', 'a fresh link, for the requester alone, by which the archive is fetched once')
    .option('--hours <hours>', 'how long it can be used: 1 to 168; default: 72', hoursOf)
    .action(async (id: string, { hours, ...place }: Place & { hours?: number }) => {
      const body = hours === undefined ? {} : { expiresInHours: hours };
      const made = await (await server()).post<ArchiveLinkDto>(`${requestPath(place, id)}/archive-link`, body);
      show.result(made, () => {
        show.line(made.url);
        show.line(
          `Until ${toTheMinute(made.expiresAt)}, once. ${made.bytes.toLocaleString('en')} bytes, sha256 ${made.sha256}`,
        );
        show.line('Send it only to the requester. A link that was made before works no more.');
      });
    });

  command('reject <id>', 'close it with a reason')
    .addOption(new Option('--reason <reason>', 'why').choices(lower(REJECTION_REASONS)).makeOptionMandatory())
    .option('--note <text>', 'for the record')
    .action((id: string, { reason, note, ...place }: Noted & { reason: string }) =>
      post(place, id, 'reject', { reasonCode: reason.toUpperCase(), ...(note !== undefined && { note }) }),
    );

  command('cancel <id>', 'close it because the requester does not want it any more, or another one is answered instead')
    .addOption(new Option('--reason <reason>', 'why').choices(lower(CANCELLATION_REASONS.slice(0, 2))))
    .option('--duplicate-of <id>', 'the request that is answered instead')
    .option('--note <text>', 'for the record')
    .action((id: string, { reason, duplicateOf, note, ...place }: Noted & { reason?: string; duplicateOf?: string }) =>
      post(place, id, 'cancel', {
        ...(reason !== undefined && { reason: reason.toUpperCase() }),
        ...(duplicateOf !== undefined && { duplicateOf }),
        ...(note !== undefined && { note }),
      }),
    );

  async function plan(place: Place, id: string, wanted: object): Promise<void> {
    const planned = await (await server()).post<DataRequestPlanDto>(`${requestPath(place, id)}/plan`, wanted);
    if (planned.refused) show.exitCode = 1;
    show.result(planned, () => {
      const { kind, decisions, globalOptOut, corrections, refused } = planned;
      if (refused) return show.line(`${show.paint('red', refused.code)}: ${refused.message}\n${refused.hint}`);
      show.line(WOULD[kind]);
      if (decisions.length > 0)
        show.table(
          ['PURPOSE', 'DECISION'],
          decisions.map(({ purpose, decision }): Cell[] => [purpose, decision]),
        );
      if (corrections.length > 0)
        show.table(
          ['WHAT', 'NOW', 'THEN'],
          corrections.map(({ kind: what, field, before, after }): Cell[] => [
            field ?? what,
            before ?? NOTHING,
            after ?? NOTHING,
          ]),
        );
      if (globalOptOut) show.line('All messages that the subject can be without would end.');
    });
  }
}

const NOTHING = '-';

interface Completing {
  dryRun?: true;
  partially?: true;
}

interface Corrected {
  correct?: string[];
  replace?: string[];
  remove?: string[];
}

interface SentCorrection {
  kind: string;
  value: string | boolean | null;
  replaces?: string;
  field?: string;
}

const wrongToRight = (wrong: string | undefined, right: unknown): string =>
  `${wrong === undefined ? '' : `${wrong} `}→ ${right === null ? NOTHING : String(right)}`;

const collected = (text: string, before: string[] = []): string[] => [...before, text];

/** The corrections that the options name; undefined where none does. */
function correctionsOf({ correct = [], replace = [], remove = [] }: Corrected): { corrections?: SentCorrection[] } {
  const corrections = [
    ...correct.map((text) => corrected(...split(text, '='))),
    ...replace.map((text): SentCorrection => {
      const [kind, rest] = split(text, ':');
      const [replaces, value] = split(rest, '=');
      return { kind, value, replaces };
    }),
    ...remove.map((text): SentCorrection => {
      const [kind, replaces] = split(text, ':');
      return { kind, value: null, replaces };
    }),
  ];
  return corrections.length === 0 ? {} : { corrections };
}

/** A name with dots, or one that is no known kind of identifier, is the path of a preference. */
function corrected(what: string, right: string): SentCorrection {
  const value = right === '' ? null : right;
  const isOfSubject = what === 'country' || what === 'locale' || (IDENTIFIER_KINDS as readonly string[]).includes(what);
  if (isOfSubject || what.startsWith('custom.')) return { kind: what, value };
  return { kind: 'preference', field: what, value: right === 'true' ? true : right === 'false' ? false : value };
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  if (at < 1) throw new InvalidArgumentError(`"${text}" has no "${separator}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

const LINK_HOURS_MAX = 168;

function hoursOf(text: string): number {
  const hours = Number(text);
  if (!Number.isInteger(hours) || hours < 1 || hours > LINK_HOURS_MAX)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${LINK_HOURS_MAX}.`);
  return hours;
}

/** What completing would do, by the kind of its effect. */
const WOULD: Readonly<Record<DataRequestPlanDto['kind'], string>> = {
  NONE: 'Nothing would be done here: you answer the request, and completing closes it.',
  ERASURE: 'The subject and all that were merged into it would be erased, with a receipt.',
  RESTRICTION: 'A hold without an end would be laid on the subject.',
  RECTIFICATION: 'What is wrong would be put right; where nothing is named, nothing is done here.',
  DECISIONS: 'Refusals would be recorded in one go:',
  ARCHIVE: 'An archive of all that is kept would be made.',
};
