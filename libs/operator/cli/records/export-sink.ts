import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { WrongUsage } from '../failure.js';
import type { Show } from '../show.js';

/** Where an export goes. */
export interface ExportSink {
  /** Resolves when it can take more. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Call it when the export is complete. */
  close(): Promise<void>;
  /** Call it when the export has failed. */
  abandon(): Promise<void>;
}

export const standardOutput = (show: Show): ExportSink => ({
  write: (chunk) => show.write(chunk),
  close: async () => {},
  abandon: async () => {},
});

/** A new file of mode 0600. It gets its name only when it is complete, and never replaces another file. */
export async function newFile(path: string): Promise<ExportSink> {
  if (existsSync(path)) throw new WrongUsage(`${path} exists already; an export never replaces another.`);
  const draft = `${path}.part`;
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600 });
  await new Promise((resolve, reject) => file.once('open', resolve).once('error', reject));
  const failure = new Promise<never>((_, reject) => file.once('error', reject));
  failure.catch(() => undefined);
  return {
    write: (chunk) => Promise.race([failure, new Promise<void>((resolve) => file.write(chunk, () => resolve()))]),
    close: async () => {
      await finished(file.end());
      await rename(draft, path);
    },
    abandon: async () => {
      file.destroy();
      await rm(draft, { force: true });
    },
  };
}
