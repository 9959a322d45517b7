import { readFileSync } from 'node:fs';
import { Unusable } from './unusable.js';

/** Whether each % in it begins a percent-encoded character. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Throws Unusable where an option of an address names a file that is not there, or that holds no certificate or key. */
export function requireReadable(option: string, path: string): void {
  let content: string;
  try {
    content = readFileSync(path, 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Unusable(`has ${option} with a file that cannot be read (${code}): check its path and rights`);
  }
  if (!content.includes('-----BEGIN '))
    throw new Unusable(`has ${option} with a file that is no PEM: such a file has a line -----BEGIN …-----`);
}
