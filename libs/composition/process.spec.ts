import { spawnSync } from 'node:child_process';
import { MEMORY_FLAGS } from './process.js';

// `setFlagsFromString` only prints a line about a flag that V8 does not know; `node` refuses to start with one.
it.each(MEMORY_FLAGS)('the V8 of this Node.js knows %s', (flag) => {
  expect(spawnSync(process.execPath, [flag, '--eval', ''], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});
