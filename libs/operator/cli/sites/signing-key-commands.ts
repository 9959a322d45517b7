import type { Command } from 'commander';
import { onlyEnvOption } from '../options.js';
import { toTheMinute } from '../instants.js';
import type { Surroundings } from '../surroundings.js';

interface Announced {
  kid: string;
  env: string;
  announcedAt: string;
  signsFrom: string;
}

interface Revoked {
  kid: string;
  env: string;
  revokedAt: string;
  successor: Announced | null;
}

interface Listed {
  kid: string;
  env: string;
  announcedAt: string | null;
  signsFrom: string | null;
  state: 'PUBLISHED' | 'SIGNING' | 'RETIRED' | 'REVOKED';
  signsUntil: string | null;
  revokedAt: string | null;
}

const STATE_COLOURS = { PUBLISHED: 'yellow', SIGNING: 'green', RETIRED: [], REVOKED: 'red' } as const;

const PATH = '/admin/v1/signing-keys';

/** Under `assent keys`: the keys that sign receipts, which are those of the installation and not of a site. */
export function addSigningKeyCommands(keys: Command, { show, server }: Surroundings): void {
  keys
    .command('signing')
    .description('the keys that sign receipts: which one signs, since when and until when, and which are compromised')
    .addOption(onlyEnvOption('only of this environment'))
    .action(async ({ env }: { env?: string }) => {
      const all = await (await server()).all<Listed>(PATH, {});
      const data = all.filter((key) => env === undefined || key.env === env);
      show.result({ data, nextCursor: null, hasMore: false }, () =>
        show.table(
          ['KEY', 'ENV', 'STATE', 'PUBLISHED', 'SIGNS FROM', 'UNTIL', 'REVOKED'],
          data.map((key) => [
            key.kid,
            key.env,
            show.coloured([...[STATE_COLOURS[key.state]].flat()], key.state.toLowerCase()),
            toTheMinute(key.announcedAt),
            key.signsFrom === null ? 'the beginning' : toTheMinute(key.signsFrom),
            toTheMinute(key.signsUntil),
            toTheMinute(key.revokedAt),
          ]),
        ),
      );
    });

  keys
    .command('rotate-signing')
    .description('make the next key that signs receipts; it is published at once and signs from a day later on')
    .addOption(onlyEnvOption('whose receipts it will sign').makeOptionMandatory())
    .option('--reason <reason>', 'why, for the record')
    .action(async ({ env, reason }: { env: string; reason?: string }) => {
      const body = { env, ...(reason !== undefined && { reason }) };
      const announced = await (await server()).post<Announced>(`${PATH}/rotate`, body);
      show.result(announced, () =>
        show.line(`${announced.kid} signs what is recorded in ${env} from ${toTheMinute(announced.signsFrom)} on.`),
      );
    });

  keys
    .command('revoke-signing <kid>')
    .description('mark a key that signs receipts as compromised; where it signs, another one takes over')
    .option('--reason <reason>', 'why, for the record')
    .action(async (kid: string, { reason }: { reason?: string }) => {
      const path = `${PATH}/${encodeURIComponent(kid)}/revoke`;
      const revoked = await (await server()).post<Revoked>(path, reason === undefined ? {} : { reason });
      show.result(revoked, () => {
        show.line(`${kid} counts as compromised since ${toTheMinute(revoked.revokedAt)}.`);
        if (revoked.successor) show.line(`${revoked.successor.kid} signs instead.`);
      });
    });
}
