import type { Command } from 'commander';
import type { Readiness } from '../../readiness.js';
import type { Surroundings } from '../surroundings.js';

export function addStatusCommand(program: Command, { show, server }: Surroundings): void {
  program
    .command('status')
    .description('whether the service is ready, and how far its read models are')
    .action(async () => {
      const { url, get } = await server({ token: false });
      const readiness = await get<Readiness>('/readyz');
      show.result({ url, ...readiness }, () =>
        show.table(
          ['SERVICE', 'STATUS', 'LOG AT', 'READ MODELS AT', 'LAG'],
          [
            [
              url,
              readiness.status,
              readiness.logPosition ?? 'does not answer',
              readiness.readPosition,
              readiness.lagSeconds === null ? 'unknown' : `${readiness.lagSeconds} s`,
            ],
          ],
        ),
      );
    });
}
