import { startWriteDatabase } from '../../../test/support/write-database.js';
import { COMPOSITION } from '../../composition/contexts.js';
import { NoteLogPrefix1763811000001 } from './log-prefix.migration.js';
import { noteLogPrefix, proveLogPrefix } from './log-prefix.js';
import { migrate } from './migrate.js';

it('belongs to the prefix of the first start for ever, and to any before that', async () => {
  const { database, stop } = await startWriteDatabase();
  try {
    await proveLogPrefix(database, 'shop');
    await proveLogPrefix(database, 'other');
    await noteLogPrefix(database, 'shop');
    await noteLogPrefix(database, 'other');
    await proveLogPrefix(database, 'shop');
    for (const another of ['other', ''])
      await expect(proveLogPrefix(database, another)).rejects.toMatchObject({
        name: 'StartRefused',
        message: expect.stringMatching(/^This database belongs to .+ prefix shop: set ASSENT_LOG_PREFIX to it, .+\.$/),
      });
  } finally {
    await stop();
  }
});

it.each([
  ['belongs to the streams without a prefix where it was used by an earlier release', true],
  ['is free where nobody has used it yet', false],
])('%s', async (_, wasUsed) => {
  const before = COMPOSITION.migrations.slice(0, COMPOSITION.migrations.indexOf(NoteLogPrefix1763811000001));
  const { url, database, stop } = await startWriteDatabase(before);
  try {
    if (wasUsed) await database.run(`insert into vault.sealed_secrets (name, sealed) values ('proof', '\\x00')`);
    await migrate(url, COMPOSITION.migrations);
    await noteLogPrefix(database, 'shop');
    const proven = proveLogPrefix(database, 'shop');
    await (wasUsed
      ? expect(proven).rejects.toThrow(/^This database belongs to streams without a prefix: remove ASSENT_LOG_PREFIX, /)
      : expect(proven).resolves.toBeUndefined());
  } finally {
    await stop();
  }
});
