import type { Command } from 'commander';
import type { OperatorRole } from '../../../context/roles.js';
import { WrongUsage } from '../failure.js';
import { toTheMinute } from '../instants.js';
import { keepToken } from '../kept-tokens.js';
import { readRole, ROLE_OPTION, roleInWords } from '../roles.js';
import type { Surroundings } from '../surroundings.js';
import type { Cell } from '../table.js';

interface Operator {
  id: string;
  kind: string;
  name: string | null;
  roles: OperatorRole[];
  state: 'ACTIVE' | 'ENDED';
  lastSeenAt: string | null;
}
interface Session {
  id: string;
  beganAt: string;
  lastSeenAt: string;
  endsAt: string;
}
interface Role {
  role: string;
  description: string;
}

const PATH = '/admin/v1/operators';
const HEAD = ['OPERATOR', 'NAME', 'ROLES', 'LAST SEEN', 'STATE'];
const at = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

export function addOperatorCommands(program: Command, { show, server, env }: Surroundings): void {
  const operators = program.command('operators').description('persons and programs who act as operators');
  const row = ({ id, kind, name, roles, lastSeenAt, state }: Operator): Cell[] => [
    [id, kind.toLowerCase()],
    name ?? '',
    roles.map(roleInWords),
    toTheMinute(lastSeenAt),
    state === 'ENDED' ? show.coloured('red', 'ended') : 'active',
  ];
  const showOne = (operator: Operator): void => show.result(operator, () => show.table(HEAD, [row(operator)]));

  operators
    .command('list')
    .description('all operators, newest first')
    .action(async () => {
      const data = await (await server()).all<Operator>(PATH);
      show.result({ data, nextCursor: null, hasMore: false }, () => show.table(HEAD, data.map(row)));
    });

  operators
    .command('roles [id]')
    .description('what each role is for; with an operator and --role, gives the program these roles instead of its own')
    .option('--role <role...>', ROLE_OPTION)
    .action(async (id: string | undefined, { role }: { role?: string[] }) => {
      if (id === undefined) {
        const answer = await (await server()).get<{ data: Role[] }>('/admin/v1/roles');
        show.result(answer, () =>
          show.table(
            ['ROLE', 'MAY'],
            answer.data.map((each): Cell[] => [each.role, each.description]),
          ),
        );
        return;
      }
      if (!role) throw new WrongUsage('No role is named.', 'Name one or several, such as --role PRIVACY@shop/live.');
      showOne(await (await server()).patch<Operator>(at(id), { roles: role.map(readRole) }));
    });

  operators
    .command('end <id>')
    .description('an operator can act no longer, and is signed out everywhere at once')
    .option('--reason <reason>', 'why, for the record')
    .action(async (id: string, { reason }: { reason?: string }) => {
      showOne(await (await server()).post<Operator>(`${at(id)}/end`, reason === undefined ? {} : { reason }));
    });

  program
    .command('sessions <operator>')
    .description('sessions of an operator in browsers')
    .option('--end', 'end all of them at once, on every instance')
    .action(async (id: string, { end }: { end?: boolean }) => {
      if (end) {
        const answer = await (await server()).post<{ ended: number }>(`${at(id)}/sessions/end`, {});
        return show.result(answer, () => show.line(`${answer.ended} ended.`));
      }
      const answer = await (await server()).get<{ data: Session[] }>(`${at(id)}/sessions`);
      show.result(answer, () =>
        show.table(
          ['SESSION', 'BEGAN', 'LAST SEEN', 'ENDS'],
          answer.data.map(({ id: session, beganAt, lastSeenAt, endsAt }): Cell[] => [
            session,
            toTheMinute(beganAt),
            toTheMinute(lastSeenAt),
            toTheMinute(endsAt),
          ]),
        ),
      );
    });

  program
    .command('sign-in')
    .description('keep an operator token for the service in your own configuration folder, which only you can read')
    .action(async () => {
      const service = await server();
      const { operator } = await service.get<{ operator: { id: string; name: string | null } }>('/admin/v1/session');
      const file = await keepToken(env, service.url, service.token!);
      show.result({ url: service.url, operator, file }, () =>
        show.line(`Commands for ${service.url} act as ${operator.name ?? operator.id} from now on: see ${file}.`),
      );
    });

  program
    .command('sign-out')
    .description('forget the token that was kept for the service; it goes on working until it is revoked')
    .action(async () => {
      const { url } = await server({ token: false });
      const file = await keepToken(env, url, null);
      show.result({ url, file }, () => show.line(`Nothing is kept for ${url} any more.`));
    });
}
