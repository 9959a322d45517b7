import { setTimeout as pause } from 'node:timers/promises';
import { Option } from 'commander';
import type { Envelope } from '../../../webhooks/index.js';
import { CommandFailed, WrongUsage } from '../failure.js';
import type { Server } from '../server.js';

/** How long the service may hold a request open; shorter than the time-out of an answer. */
const WAIT_S = 20;
const AGAIN_MS = 2_000;
/** Statuses of failures that pass by themselves. */
const PASSING = ['unreachable', 'dependency_unavailable', 'internal_error', 'rate_limited'];

export interface FeedOptions {
  after: string;
  types?: string[];
  /** False: it ends with what has happened so far. */
  follow: boolean;
}

export const feedOptions = (): Option[] => [
  new Option('--after <sequence>', 'go on behind this event; `beginning`: all that ever happened')
    .default('latest')
    .argParser((text: string) => {
      if (/^(beginning|latest|\d{1,16})$/.test(text)) return text;
      throw new WrongUsage('--after takes the sequence of an event, beginning or latest.');
    }),
  new Option('--types <type...>', 'only these types, such as consent.*'),
  new Option('--no-follow', 'end with what has happened so far'),
];

/**
 * The webhook events of a site and environment in their order; with `follow` also later ones as they happen. After the
 * first page it waits for a service that is away, as at a restart, and calls `say`.
 */
export async function* eventsOf(
  server: Server,
  { after, types = [], follow }: FeedOptions,
  say: (line: string) => void,
): AsyncGenerator<Envelope> {
  const query = new URLSearchParams([['limit', '200'], ...types.map((type): [string, string] => ['types', type])]);
  if (after !== 'beginning') query.set('after', after);
  let hasBegun = false;
  for (;;) {
    const page = await server
      .get<{ data: Envelope[]; nextCursor: string | null; hasMore: boolean }>(`/v1/events?${query}`)
      .catch((error: unknown) => {
        if (hasBegun && error instanceof CommandFailed && PASSING.includes(error.problem.code)) return error.problem;
        throw error;
      });
    if ('code' in page) {
      say(`${page.message} Trying again.`);
      await pause(AGAIN_MS);
      continue;
    }
    hasBegun = true;
    yield* page.data;
    if (page.nextCursor !== null) query.set('after', page.nextCursor);
    if (!follow && !page.hasMore) return;
    if (follow) query.set('wait', String(WAIT_S));
  }
}
