import { startWriteDatabase } from '../../../test/support/write-database.js';
import { noteLogPrefix, proveLogPrefix } from './log-prefix.js';

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

it('belongs to the streams without a prefix where the first start had none', async () => {
  const { database, stop } = await startWriteDatabase();
  try {
    await noteLogPrefix(database, '');
    await proveLogPrefix(database, '');
    await expect(proveLogPrefix(database, 'shop')).rejects.toThrow(
      /^This database belongs to streams without a prefix: remove ASSENT_LOG_PREFIX, /,
    );
  } finally {
    await stop();
  }
});
