// One of many processes that want the same folder. Told `go <seed>` it tries once, told `release` it lets go; it
// answers each in one line. The first argument is the folder.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** The longest that a step of the file system takes here, in ms. Real ones take as long beside a load, though seldom. */
const STEP_MS_MAX = 30;

let random = () => 0;
/** The same numbers for the same seed (mulberry32). */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
/** Half of the steps take no time, so that some processes are far ahead of others. */
const dawdle = async () => {
  if (random() < 0.5) await pause(random() * STEP_MS_MAX);
};
for (const step of ['link', 'mkdir', 'open', 'readFile', 'readdir', 'rename', 'rm', 'stat', 'unlink', 'writeFile']) {
  const real = fs[step];
  fs[step] = async (...args) => {
    await dawdle();
    try {
      return await real(...args);
    } finally {
      await dawdle();
    }
  };
}
syncBuiltinESMExports();
const { openDataFolder } = await import('../../dist/libs/engines/database/data-folder.js');

let opened = null;
const say = (line) => process.stdout.write(`${line}\n`);
say('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [what, seed] = line.split(' ');
  if (what === 'release') {
    await opened.release();
    say('released');
    continue;
  }
  random = seeded(Number(seed));
  try {
    opened = await openDataFolder(process.argv[2]);
    say('held');
  } catch (error) {
    say(error.message.includes('already uses') ? 'refused' : `failed: ${error.stack}`);
  }
}
