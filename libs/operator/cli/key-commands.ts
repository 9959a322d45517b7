import type { Command } from 'commander';
import type { Cell } from './show.js';
import type { Surroundings } from './surroundings.js';

interface Key {
  id: string;
  type: string;
  env: string;
  name: string;
  last4: string;
  scopes: string[];
  allowedOrigins: string[] | null;
  state: 'live' | 'expired' | 'revoked';
  createdAt: string;
  expiresAt: string | null;
  rotatedFrom: string | null;
  replacedBy: string | null;
  revokedAt: string | null;
}

type Listed = Key & { lastUsedAt: string | null };

type Shown = Key & { key: string };

interface IssueOptions {
  site: string;
  type: string;
  env: string;
  name: string;
  scope?: string[];
  origin?: string[];
  expiresAt?: string;
}

const HEAD = ['KEY', 'TYPE', 'ENV', 'NAME', 'ENDS IN', 'SCOPES', 'ORIGINS', 'ISSUED', 'STATE'];
const keysOf = (site: string): string => `/admin/v1/sites/${encodeURIComponent(site)}/keys`;

export function addKeyCommands(program: Command, { show, server, env, release, progress }: Surroundings): void {
  const keys = program.command('keys').description('API keys of a site');
  const stateOf = ({ state, revokedAt, expiresAt, replacedBy }: Key): string[] => {
    const inWords =
      state === 'revoked'
        ? show.paint('red', `revoked ${revokedAt}`)
        : state === 'expired'
          ? `expired ${expiresAt}`
          : expiresAt
            ? `until ${expiresAt}`
            : 'live';
    return [inWords, ...(replacedBy ? [`now ${replacedBy}`] : [])];
  };
  const row = (key: Key): Cell[] => [
    key.id,
    key.type,
    key.env,
    key.name,
    key.last4,
    key.scopes.join(' '),
    key.allowedOrigins ?? (key.type === 'pk' ? 'of the site' : ''),
    key.createdAt,
    stateOf(key),
  ];
  const showOnce = (key: Shown): void => {
    show.table(HEAD, [row(key)]);
    show.line(`\n${show.paint('bold', key.key)}\n\nKeep it now: only a hash of it is stored.`);
  };

  keys
    .command('list')
    .description('all keys that a site ever had, newest first')
    .option('--site <site>', 'site', 'demo')
    .option('--type <type>', 'only pk or only sk')
    .option('--env <env>', 'only test or only live')
    .option('--state <state>', 'only live, expired or revoked')
    .action(async ({ site, ...filter }: { site: string; type?: string; env?: string; state?: string }) => {
      const data = await (await server()).all<Listed>(keysOf(site), filter);
      show.result({ data, nextCursor: null, hasMore: false }, () =>
        show.table(
          [...HEAD, 'LAST USED'],
          data.map((key) => [...row(key), key.lastUsedAt ? `${key.lastUsedAt.slice(0, 13)}h` : '']),
        ),
      );
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
      const body = {
        type,
        env,
        name,
        ...(scope && { scopes: scope }),
        ...(origin && { allowedOrigins: origin }),
        ...(expiresAt !== undefined && { expiresAt }),
      };
      const issued = await (await server()).post<Shown>(keysOf(site), body);
      show.result(issued, () => showOnce(issued));
    });

  keys
    .command('rotate <id>')
    .description('issue the successor of a key; it is shown this once, and the old one works on for the overlap')
    .option('--site <site>', 'site', 'demo')
    .option('--overlap <time>', 'how long the old key works on: 0, 1h, 24h or 7d', '24h')
    .option('--reason <reason>', 'why, for the record')
    .action(async (id: string, { site, overlap, reason }: { site: string; overlap: string; reason?: string }) => {
      const rotated = await (
        await server()
      ).post<Shown & { overlapEndsAt: string }>(`${keysOf(site)}/${encodeURIComponent(id)}/rotate`, {
        overlap,
        ...(reason !== undefined && { reason }),
      });
      show.result(rotated, () => {
        showOnce(rotated);
        show.line(overlap === '0' ? `${id} works no longer.` : `${id} works until ${rotated.overlapEndsAt}.`);
      });
    });

  keys
    .command('revoke <id>')
    .description('revoke a key; every instance refuses it within 5 seconds')
    .option('--site <site>', 'site', 'demo')
    .option('--reason <reason>', 'why, for the record')
    .action(async (id: string, { site, reason }: { site: string; reason?: string }) => {
      const revoked = await (
        await server()
      ).post<Key>(`${keysOf(site)}/${encodeURIComponent(id)}/revoke`, reason === undefined ? {} : { reason });
      show.result(revoked, () => show.table(HEAD, [row(revoked)]));
    });

  keys
    .command('rotate-master')
    .description(
      'the next step of rotating the master key; works on the database directly, and may be cut off and repeated',
    )
    .action(async () => {
      const [{ withEngines }, { rotateMaster }] = await Promise.all([
        import('../engines.js'),
        import('../rotate-master.js'),
      ]);
      const bar = progress('sealing anew');
      const rotation = await withEngines(await release(), env, (engines) =>
        rotateMaster(engines, (share, done) => bar.show(share, done, 'rows')),
      ).finally(() => bar.end());
      show.result(rotation, () => {
        if (rotation.state === 'DONE')
          show.line(
            `${rotation.rewrapped} sealed anew. Everything is sealed with ${rotation.to}; the old key is not needed any more.`,
          );
        else if (rotation.inFolder)
          show.line(
            'The new key is in master.key, the old one in master.key.other. Restart the service, then call this again.',
          );
        else
          show.line(
            'Prepared. Restart every process, one after another: first with the new key as ASSENT_MASTER_KEY_OTHER, then, when all have it, with the new key as ASSENT_MASTER_KEY and the old one as ASSENT_MASTER_KEY_OTHER. Then call this again, with the same settings.',
          );
      });
    });
}
