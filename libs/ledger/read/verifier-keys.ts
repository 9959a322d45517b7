import { ENVIRONMENTS, type Environment } from '../../kernel/index.js';
import type { NoteSigner } from '../../receipts/index.js';
import { originOf, verifierKey } from '../note.js';
import type { LedgerVerifiersDto } from './dto.js';

/** A site whose ledgers are shown, and which of them. */
export interface ShownLedgers {
  site: string;
  envs: readonly Environment[];
  isOpen: boolean;
}

/** By what the checkpoints of ledgers are verified, by name of the site. */
export async function verifiersOf(
  signer: Pick<NoteSigner, 'datedKeys'>,
  shown: readonly ShownLedgers[],
): Promise<LedgerVerifiersDto[]> {
  const keys = new Map(await Promise.all(ENVIRONMENTS.map(async (env) => [env, await signer.datedKeys(env)] as const)));
  return shown
    .toSorted((a, b) => (a.site < b.site ? -1 : 1))
    .flatMap(({ site, envs, isOpen }) =>
      envs.map((env) => {
        const origin = originOf({ site, env });
        return {
          ...{ site, env, origin },
          prefix: isOpen ? `/v1/ledgers/${site}/${env}` : null,
          verifierKeys: keys
            .get(env)!
            .map(({ x, kid, signsFrom, revokedAt }) => ({
              verifierKey: verifierKey(origin, Buffer.from(x, 'base64url')),
              ...{ kid, signsFrom, revokedAt },
            })),
        };
      }),
    );
}
