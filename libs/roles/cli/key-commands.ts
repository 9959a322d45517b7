import type { Command } from 'commander';
import type { Surroundings } from './surroundings.js';

interface Key {
  id: string;
  type: string;
  env: string;
  name: string;
  last4: string;
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
}

interface IssueOptions {
  site: string;
  type: string;
  env: string;
  name: string;
  scope?: string[];
  origin?: string[];
  expiresAt?: string;
}

const HEAD = ['KEY', 'TYPE', 'ENV', 'NAME', 'ENDS IN', 'SCOPES', 'ISSUED', 'STATE'];
const keysOf = (site: string): string => `/admin/v1/sites/${encodeURIComponent(site)}/keys`;

export function addKeyCommands(program: Command, { show, server }: Surroundings): void {
  const keys = program.command('keys').description('API keys of a site');
  const state = ({ revokedAt, expiresAt }: Key): string => {
    if (revokedAt) return show.paint('red', `revoked ${revokedAt}`);
    if (expiresAt) return expiresAt <= new Date().toISOString() ? `expired ${expiresAt}` : `until ${expiresAt}`;
    return 'live';
  };
  const row = (key: Key): string[] => [key.id, key.type, key.env, key.name, key.last4, key.scopes.join(' '), key.createdAt, state(key)];

  keys
    .command('list')
    .description('all keys that a site ever had')
    .option('--site <site>', 'site', 'demo')
    .action(async ({ site }: { site: string }) => {
      const answer = await (await server()).get<{ data: Key[] }>(keysOf(site));
      show.result(answer, () => show.table(HEAD, answer.data.map(row)));
    });

  keys
    .command('issue')
    .description('issue a key; it is shown this once')
    .option('--site <site>', 'site', 'demo')
    .requiredOption('--type <type>', 'pk (public, for pages and apps) or sk (secret, for servers)')
    .option('--env <env>', 'test or live', 'test')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scope <scope...>', 'only these scopes; default: all that its type can hold')
    .option('--origin <origin...>', 'origins of this public key instead of those of the site')
    .option('--expires-at <time>', 'when it stops working, such as 2027-01-31T00:00:00.000Z')
    .action(async ({ site, type, env, name, scope, origin, expiresAt }: IssueOptions) => {
      const body = { type, env, name, ...(scope && { scopes: scope }), ...(origin && { allowedOrigins: origin }), ...(expiresAt !== undefined && { expiresAt }) };
      const issued = await (await server()).post<Key & { key: string }>(keysOf(site), body);
      show.result(issued, () => {
        show.table(HEAD, [row(issued)]);
        show.line(`\n${show.paint('bold', issued.key)}\n\nKeep it now: only a hash of it is stored.`);
      });
    });

  keys
    .command('revoke <id>')
    .description('revoke a key; every instance refuses it within 5 seconds')
    .option('--site <site>', 'site', 'demo')
    .option('--reason <reason>', 'why, for the record')
    .action(async (id: string, { site, reason }: { site: string; reason?: string }) => {
      const revoked = await (await server()).post<Key>(`${keysOf(site)}/${encodeURIComponent(id)}/revoke`, reason === undefined ? {} : { reason });
      show.result(revoked, () => show.table(HEAD, [row(revoked)]));
    });
}
