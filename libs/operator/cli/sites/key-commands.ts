import { Option, type Command } from 'commander';
import { KEY_TYPES } from '../../../context/scopes.js';
import { envOption, onlyEnvOption, overlapOption, siteOption } from '../options.js';
import { toTheMinute } from '../instants.js';
import { addSigningKeyCommands } from './signing-key-commands.js';
import type { Cell, CellLine } from '../table.js';
import type { Surroundings } from '../surroundings.js';

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

const HEAD = ['KEY', 'FOR', 'SCOPES', 'ORIGINS', 'ISSUED', 'STATE'];
const keysOf = (site: string): string => `/admin/v1/sites/${encodeURIComponent(site)}/keys`;

export function addKeyCommands(program: Command, surroundings: Surroundings): void {
  const { show, server, env, release, progress } = surroundings;
  const keys = program.command('keys').description('API keys of a site, and the keys of the service itself');

  const stateOf = ({ state, revokedAt, expiresAt, replacedBy }: Key): CellLine[] => {
    const inWords =
      state === 'revoked'
        ? show.coloured('red', `revoked ${toTheMinute(revokedAt)}`)
        : state === 'expired'
          ? `expired ${toTheMinute(expiresAt)}`
          : expiresAt
            ? `until ${toTheMinute(expiresAt)}`
            : 'live';
    return [inWords, ...(replacedBy ? [`→${replacedBy}`] : [])];
  };
  const row = (key: Key): Cell[] => [
    [key.id, `ends in ${key.last4}`],
    [key.name, `${key.type} ${key.env}`],
    key.scopes.join(' '),
    key.allowedOrigins ?? (key.type === 'pk' ? 'of the site' : ''),
    toTheMinute(key.createdAt),
    stateOf(key),
  ];
  const showOnce = (key: Shown): void => {
    show.table(HEAD, [row(key)]);
    show.line(`\n${show.paint('bold', key.key)}\n\nKeep it now: only a hash of it is stored.`);
  };

  keys
    .command('list')
    .description('all keys that a site ever had, newest first')
    .addOption(siteOption())
    .addOption(new Option('--type <type>', 'only public or only secret keys').choices([...KEY_TYPES]))
    .addOption(onlyEnvOption('only of this environment'))
    .addOption(new Option('--state <state>', 'only those that are').choices(['live', 'expired', 'revoked']))
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
    .addOption(siteOption())
    .addOption(
      new Option('--type <type>', 'public, for pages and apps, or secret, for servers')
        .choices([...KEY_TYPES])
        .makeOptionMandatory(),
    )
    .addOption(envOption())
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
    .addOption(siteOption())
    .addOption(overlapOption('key'))
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
    .addOption(siteOption())
    .option('--reason <reason>', 'why, for the record')
    .action(async (id: string, { site, reason }: { site: string; reason?: string }) => {
      const revoked = await (
        await server()
      ).post<Key>(`${keysOf(site)}/${encodeURIComponent(id)}/revoke`, reason === undefined ? {} : { reason });
      show.result(revoked, () => show.table(HEAD, [row(revoked)]));
    });

  addSigningKeyCommands(keys, surroundings);

  keys
    .command('rotate-master')
    .description(
      'the next step of rotating the master key; works on the database directly, and may be cut off and repeated',
    )
    .action(async () => {
      const [{ withEngines }, { rotateMaster }] = await Promise.all([
        import('../../engines.js'),
        import('../../backup/rotate-master.js'),
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
