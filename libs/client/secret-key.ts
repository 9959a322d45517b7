import type { Connection, ReadOptions, WriteOptions } from './sending/connection.js';
import { UsageError } from './errors.js';

/** Throws a UsageError for a public key, which the service would refuse. */
export function requireSecretKey({ options }: Connection): void {
  if (!options.apiKey.startsWith('sk_'))
    throw new UsageError({
      code: 'secret_key_required',
      message: 'A public key may not do this.',
      hint: 'Do it on your server, with a secret key.',
    });
}

/** A write that needs a secret key. */
export async function writeBySecretKey<T>(
  connection: Connection,
  path: string,
  params: unknown,
  options?: WriteOptions,
): Promise<T> {
  requireSecretKey(connection);
  return connection.write<T>(path, params, options);
}

/** A read that needs a secret key. */
export async function readBySecretKey<T>(connection: Connection, path: string, options?: ReadOptions): Promise<T> {
  requireSecretKey(connection);
  return connection.read<T>(path, options);
}
