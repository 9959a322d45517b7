import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error Plain JavaScript, like the command that reads it.
import { ROOMS as MEASURED } from '../mutation/rooms.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = Object.entries(MEASURED as Record<string, { files: string[]; specs: string[] }>);
/** Where a context decides, adds up and shows, by the names that these files have everywhere. */
const PURE = ['decide.ts', 'state.ts', 'merge.ts', 'view.ts'];

describe('what `npm run mutation` measures', () => {
  it('is there, with its tests', () => {
    const named = ROOMS.flatMap(([, { files, specs }]) => [...files.map((file) => `libs/${file}`), ...specs]);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('leaves out no file in which a context decides', () => {
    const pure = readdirSync(join(ROOT, 'libs')).flatMap((room) =>
      PURE.map((file) => `${room}/${file}`).filter((file) => existsSync(join(ROOT, 'libs', file))),
    );
    expect(pure.length).toBeGreaterThan(10);
    const measured = ROOMS.flatMap(([, { files }]) => files);
    expect(pure.filter((file) => !measured.includes(file))).toEqual([]);
  });
});
