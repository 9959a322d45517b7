import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** How far an import has come. Nothing personal: counts and digests. */
export interface Resumable {
  /** Of files, map and place: another import must not go on from it. */
  import: string;
  /** Rows from the beginning of the files that are done. */
  rows: number;
  /** Bytes of the file of rejected rows up to there. */
  rejects: number;
}

const HEAD_BYTES = 1_048_576;
const SAVE_EVERY_MS = 1_000;

/** What makes an import the same as an earlier one: its options, and of each file name, size, time and beginning. */
export async function importDigest(files: readonly string[], options: unknown): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(options));
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    digest.update(JSON.stringify([file, size, mtimeMs]));
    for await (const bytes of createReadStream(file, { end: HEAD_BYTES - 1 })) digest.update(bytes as Buffer);
  }
  return digest.digest('hex');
}

/** The file that says how far an import has come. It is there from the first second on, and gone when all is done. */
export class ResumeFile {
  private savedAt = 0;
  /** False where its folder takes no file: the import then cannot be resumed, and is harmless to repeat. */
  isKept = true;

  constructor(
    readonly path: string,
    private readonly id: string,
  ) {}

  /** Where to go on; null: there is no file. `other`: it is of another import. */
  find(): Resumable | 'other' | null {
    let found: Resumable;
    try {
      found = JSON.parse(readFileSync(this.path, 'utf8')) as Resumable;
    } catch {
      return null;
    }
    return found.import === this.id ? found : 'other';
  }

  /** At most once a second, unless it is the last time. */
  save(rows: number, rejects: number, isLast = false): void {
    const now = performance.now();
    if (!this.isKept || (!isLast && now - this.savedAt < SAVE_EVERY_MS)) return;
    this.savedAt = now;
    const state: Resumable = { import: this.id, rows, rejects };
    try {
      writeFileSync(`${this.path}.part`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
      renameSync(`${this.path}.part`, this.path);
    } catch {
      this.isKept = false;
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
