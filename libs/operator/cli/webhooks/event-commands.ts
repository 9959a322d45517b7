import type { Command } from 'commander';
import type { Envelope } from '../../../webhooks/index.js';
import { eventsOf, feedOptions, type FeedOptions } from './event-feed.js';
import { keyOptions } from '../options.js';
import type { KeyOptions } from '../server.js';
import type { Surroundings } from '../surroundings.js';

export function addEventCommands(program: Command, { show, siteServer }: Surroundings): void {
  const tail = program
    .command('events')
    .description('what webhooks tell of')
    .command('tail')
    .description(
      'show the events of the site and environment of a secret key as they happen; with --json one on each line, to the byte as they are delivered',
    );
  for (const option of [...feedOptions(), ...keyOptions()]) tail.addOption(option);
  tail.action(async ({ key, keyFile, ...feed }: FeedOptions & KeyOptions) => {
    const server = await siteServer({ key, keyFile });
    for await (const event of eventsOf(server, feed, (line) => show.note(line)))
      await show.write(`${show.json ? JSON.stringify(event) : inWords(event)}\n`);
  });
}

const inWords = ({ occurredAt, sequence, type, subject, data }: Envelope): string =>
  [occurredAt, String(sequence), type, subject?.id ?? '-', JSON.stringify(data.object)].join(' ');
