import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import type { VerifiedFile } from '../../verify/receipts-verified.js';
import { failed, WrongUsage } from '../failure.js';
import type { Surroundings } from '../surroundings.js';
import type { Cell } from '../table.js';

/** Larger files hold no receipt, and no key set. */
const BYTES_MAX = 1_000_000;

export function addReceiptCommands(program: Command, { show }: Surroundings): void {
  program
    .command('receipts')
    .description('signed receipts; asks no service and no database')
    .command('verify <file...>')
    .description(
      'say of each file whether it is a receipt that a key of the key set signed: { "receipt", "jws" } or the bare JWS; - for standard input; exit code 1 where one is not',
    )
    .requiredOption('--keys <file>', 'the key set, as it was fetched from /.well-known/jwks.json')
    .action(async (names: string[], { keys: keysFile }: { keys: string }) => {
      const { keysIn, verifyReceipts } = await import('../../verify/receipts-verified.js');
      const keys = keysIn(await contentOf(keysFile));
      if (keys === null)
        throw failed(
          'key_set_invalid',
          `${keysFile} is no key set, or holds a key under an id that is not its thumbprint (RFC 7638).`,
          'Fetch it again: curl -sS $URL/.well-known/jwks.json. One that was changed verifies nothing.',
        );
      const files = await Promise.all(names.map(async (file) => ({ file, text: await contentOf(file) })));
      const verified = verifyReceipts(files, keys);
      show.result(verified, () =>
        show.table(['VERDICT', 'FILE', 'RECEIPT', 'SITE', 'RECORDED', 'WHY'], verified.receipts.map(row)),
      );
      if (verified.invalid > 0) show.exitCode = 1;
    });

  const row = ({ verdict, file, receipt, because }: VerifiedFile): Cell[] => {
    const said = (receipt ?? {}) as { id?: string; site?: string; environment?: string; event?: { at?: string } };
    return [
      show.coloured(verdict === 'VALID' ? 'green' : 'red', verdict),
      file,
      said.id ?? '',
      said.site === undefined ? '' : `${said.site} ${said.environment ?? ''}`,
      said.event?.at ?? '',
      because,
    ];
  };
}

async function contentOf(file: string): Promise<string> {
  let content: Buffer;
  try {
    content = await readFile(file === '-' ? '/dev/stdin' : file);
  } catch (error) {
    throw new WrongUsage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (content.length > BYTES_MAX) throw new WrongUsage(`${file} is too large for a receipt or a key set.`);
  return content.toString('utf8');
}
