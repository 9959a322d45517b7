import type { Command } from 'commander';
import { onlyEnvOption } from './options.js';
import { toTheMinute } from './instants.js';
import type { Surroundings } from './surroundings.js';

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

const PATH = '/admin/v1/signing-keys';

/** Under `assent keys`: the keys that sign receipts, which are those of the installation and not of a site. */
export function addSigningKeyCommands(keys: Command, { show, server }: Surroundings): void {
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
