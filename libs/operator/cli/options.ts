import { Option } from 'commander';
import { ENVIRONMENTS } from '../../kernel/index.js';

/** Options that several commands have, with the values that they can take: help and completion show them. */
export const siteOption = (): Option => new Option('--site <site>', 'site').default('demo');

export const envOption = (): Option =>
  new Option('--env <env>', 'environment').choices([...ENVIRONMENTS]).default('test');

/** An environment only where one is wanted. */
export const onlyEnvOption = (description: string): Option =>
  new Option('--env <env>', description).choices([...ENVIRONMENTS]);

export const overlapOption = (of: string): Option =>
  new Option('--overlap <time>', `how long the old ${of} works on`).choices(['0', '1h', '24h', '7d']).default('24h');

export const operatorOption = (): Option =>
  new Option('--operator <name>', 'who is doing it, for the record; default: your account');

/** The secret key, for commands that act as the owner of a site. The key names site and environment. */
export const keyOptions = (): Option[] => [
  new Option('--key-file <file>', 'file that holds the secret key; - for standard input'),
  new Option('--key <key>', 'secret key; other users of the machine can see it here, not in a file'),
];
