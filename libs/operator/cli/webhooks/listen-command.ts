import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { parseUrl } from '../../../kernel/index.js';
import { readSecret, SECRET_BYTES, secretText, signatureHeaders, type Envelope } from '../../../webhooks/index.js';
import { eventsOf, feedOptions, type FeedOptions } from './event-feed.js';
import { WrongUsage } from '../failure.js';
import { keyOptions } from '../options.js';
import type { KeyOptions } from '../server.js';
import type { Surroundings } from '../surroundings.js';

/** Time-out of an answer, the same as of a real delivery. */
const TIMEOUT_MS = 15_000;

interface ListenOptions extends FeedOptions, KeyOptions {
  forwardTo: string;
  secret?: string;
}

/** The outcome of one event. */
interface Forwarded {
  id: string;
  type: string;
  sequence: number;
  /** Null where there was no answer. */
  status: number | null;
  /** Null where there was an answer. */
  error: string | null;
  ms: number;
}

export function addListenCommand(program: Command, { show, siteServer }: Surroundings): void {
  const webhooks =
    program.commands.find((command) => command.name() === 'webhooks') ??
    program.command('webhooks').description('other systems that receive events');
  const listen = webhooks
    .command('listen')
    .description(
      'send what happens to an address on this machine, signed as real deliveries are, so that a receiver can be tried without a public address; each event once',
    )
    .requiredOption('--forward-to <url>', 'where the receiver listens, such as http://localhost:3000/hook')
    .option('--secret <secret>', 'whsec_… that signs; left out, a new one is made and shown');
  for (const option of [...feedOptions(), ...keyOptions()]) listen.addOption(option);
  listen.action(async ({ forwardTo, secret, key, keyFile, ...feed }: ListenOptions) => {
    const url = parseUrl(forwardTo);
    if (!url || !/^https?:$/.test(url.protocol))
      throw new WrongUsage('--forward-to takes an address such as http://localhost:3000/hook.');
    const signer = secret === undefined ? randomBytes(SECRET_BYTES) : readSecret(secret);
    if (!signer) throw new WrongUsage('--secret takes a secret as the service shows it: whsec_ and 44 characters.');
    const server = await siteServer({ key, keyFile });
    show.note(`Signed with ${secretText(signer)}`);
    show.note(`Forwarding to ${url.href}`);
    for await (const event of eventsOf(server, feed, (line) => show.note(line))) {
      const forwarded = await forward(url, event, signer);
      await show.write(`${show.json ? JSON.stringify(forwarded) : inWords(forwarded)}\n`);
    }
  });

  const inWords = ({ status, error, sequence, type, id, ms }: Forwarded): string => {
    const isTaken = status !== null && status >= 200 && status < 300;
    const outcome = show.paint(isTaken ? 'green' : 'red', status === null ? (error ?? '') : String(status));
    return [outcome, String(sequence), type, id, `${ms} ms`].join(' ');
  };
}

async function forward(url: URL, event: Envelope, key: Uint8Array): Promise<Forwarded> {
  const { id, type, sequence } = event;
  // The same text as the service sends: parsed JSON is written again with its members in the same order.
  const body = Buffer.from(JSON.stringify(event));
  const since = performance.now();
  const answered = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...signatureHeaders({ id, timestampS: Math.floor(Date.now() / 1000), body }, [key]),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(
    async (answer) => {
      await answer.body?.cancel();
      return { status: answer.status, error: null };
    },
    (error: Error) => ({ status: null, error: reasonOf(error) }),
  );
  return { id, type, sequence, ...answered, ms: Math.round(performance.now() - since) };
}

const reasonOf = ({ name, cause }: Error): string =>
  name === 'TimeoutError'
    ? `no answer within ${TIMEOUT_MS / 1000} seconds`
    : ((cause as NodeJS.ErrnoException | undefined)?.code ?? 'connection lost');
