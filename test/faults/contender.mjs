// One of many processes that want the same folder. Told `go` it tries once, told `release` it lets go; it answers each
// in one line. The first argument is the folder.
import { createInterface } from 'node:readline';
import { openDataFolder } from '../../dist/libs/platform/database/data-folder.js';

let opened = null;
const say = (line) => process.stdout.write(`${line}\n`);
say('ready');
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'release') {
    await opened.release();
    say('released');
    continue;
  }
  try {
    opened = await openDataFolder(process.argv[2]);
    say('held');
  } catch (error) {
    say(error.message.includes('already uses') ? 'refused' : `failed: ${error.stack}`);
  }
}
