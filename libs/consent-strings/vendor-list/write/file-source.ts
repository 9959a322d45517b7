import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LIST_BYTES_MAX } from '../read-list.js';
import { textsName, type Looked, type Source, type Validators } from './sources.js';

/** How often the file is read, in seconds: the longest wait of an operator who replaces it. */
const LOOK_EVERY_S = 30;

/** The file that an operator provides, or its translation beside it. */
export class FileSource implements Source {
  readonly from = 'FILE';

  constructor(readonly name: string) {}

  static translation(path: string, locale: string): FileSource {
    return new FileSource(join(dirname(path), textsName(locale)));
  }

  async look({ etag: known }: Validators): Promise<Looked> {
    try {
      const file = await open(this.name);
      try {
        const { mtimeMs, size, ino } = await file.stat();
        const validators: Validators = { etag: `${ino}-${size}-${mtimeMs}`, lastModified: null };
        const fresh = { freshS: LOOK_EVERY_S, validators };
        if (validators.etag === known) return { outcome: 'UNCHANGED', ...fresh };
        // One byte above the limit shows that the file is too large, however large it is.
        const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, LIST_BYTES_MAX + 1)), {
          position: 0,
        });
        return { outcome: 'FOUND', bytes: buffer.subarray(0, bytesRead), ...fresh };
      } finally {
        await file.close();
      }
    } catch (error) {
      const { code = 'unreadable' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return { outcome: 'NONE', freshS: LOOK_EVERY_S };
      return { outcome: 'FAILED', reason: code, retryAfterS: LOOK_EVERY_S };
    }
  }
}
