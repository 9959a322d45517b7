import type { Command } from 'commander';
import { readRole, ROLE_OPTION, roleInWords } from '../roles.js';
import type { OperatorRole } from '../../../context/roles.js';
import { failed } from '../failure.js';
import { overlapOption } from '../options.js';
import { toTheMinute } from '../instants.js';
import type { Cell, CellLine } from '../table.js';
import type { Surroundings } from '../surroundings.js';

interface Token {
  id: string;
  name: string;
  last4: string | null;
  state: 'live' | 'expired' | 'revoked';
  createdAt: string | null;
  createdBy: string | null;
  roles: OperatorRole[];
  expiresAt: string | null;
  replacedBy: string | null;
  revokedAt: string | null;
}

type Shown = Token & { token: string };

const PATH = '/admin/v1/operator-tokens';
const HEAD = ['TOKEN', 'NAME', 'ROLES', 'ENDS IN', 'ISSUED', 'BY', 'STATE'];

export function addOperatorTokenCommands(program: Command, { show, server, env, release }: Surroundings): void {
  const tokens = program.command('operator-tokens').description('who may act as operator');
  const stateOf = ({ state, revokedAt, expiresAt, replacedBy }: Token): CellLine[] => {
    const until = expiresAt ? `until ${toTheMinute(expiresAt)}` : 'live';
    const inWords =
      state === 'revoked'
        ? show.coloured('red', `revoked ${toTheMinute(revokedAt)}`)
        : state === 'expired'
          ? `expired ${toTheMinute(expiresAt)}`
          : until;
    return [inWords, ...(replacedBy ? [`→${replacedBy}`] : [])];
  };
  const row = (token: Token): Cell[] => [
    token.id,
    token.name,
    token.roles.map(roleInWords),
    token.last4 ?? '',
    toTheMinute(token.createdAt),
    token.createdBy ?? '',
    stateOf(token),
  ];
  const showOnce = (token: Shown): void => {
    show.table(HEAD, [row(token)]);
    show.line(`\n${show.paint('bold', token.token)}\n\nKeep it now: only a hash of it is stored.`);
  };

  tokens
    .command('list')
    .description('all tokens that there ever were, newest first')
    .action(async () => {
      const data = await (await server()).all<Token>(PATH);
      show.result({ data, nextCursor: null, hasMore: false }, () => show.table(HEAD, data.map(row)));
    });

  tokens
    .command('first')
    .description('the token of the first start; needs the master key, and works on the database directly')
    .action(async () => {
      const { firstToken } = await import('../../first-token.js');
      const token = await firstToken(await release(), env);
      if (token === null)
        throw failed(
          'token_gone',
          'The token of the first start was rotated or revoked.',
          'Use one of those that assent operator-tokens list shows.',
        );
      show.result({ token }, () => show.line(token));
    });

  tokens
    .command('issue')
    .description('issue a token for one person or program; it is shown this once')
    .requiredOption('--name <name>', 'who or what uses it')
    .requiredOption('--role <role...>', ROLE_OPTION)
    .option(
      '--expires-at <time>',
      'when it stops working, such as 2027-01-31T00:00:00.000Z, or never; default: in 90 days',
    )
    .action(async ({ name, role, expiresAt }: { name: string; role: string[]; expiresAt?: string }) => {
      const issued = await (
        await server()
      ).post<Shown>(PATH, {
        name,
        roles: role.map(readRole),
        ...(expiresAt !== undefined && { expiresAt: expiresAt === 'never' ? null : expiresAt }),
      });
      show.result(issued, () => showOnce(issued));
    });

  tokens
    .command('rotate <id>')
    .description('issue the successor of a token; it is shown this once, and the old one works on for the overlap')
    .addOption(overlapOption('token'))
    .option('--reason <reason>', 'why, for the record')
    .action(async (id: string, { overlap, reason }: { overlap: string; reason?: string }) => {
      const rotated = await (
        await server()
      ).post<Shown & { overlapEndsAt: string }>(`${PATH}/${encodeURIComponent(id)}/rotate`, {
        overlap,
        ...(reason !== undefined && { reason }),
      });
      show.result(rotated, () => {
        showOnce(rotated);
        show.line(overlap === '0' ? `${id} works no longer.` : `${id} works until ${rotated.overlapEndsAt}.`);
      });
    });

  tokens
    .command('revoke <id>')
    .description('revoke a token; every instance refuses it at once')
    .option('--reason <reason>', 'why, for the record')
    .action(async (id: string, { reason }: { reason?: string }) => {
      const revoked = await (
        await server()
      ).post<Token>(`${PATH}/${encodeURIComponent(id)}/revoke`, reason === undefined ? {} : { reason });
      show.result(revoked, () => show.table(HEAD, [row(revoked)]));
    });
}
