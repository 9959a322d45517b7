import type { Response } from 'express';
import type { Scope } from '../../kernel/index.js';
import { refused } from '../../http/errors/refused.js';
import type { Ledger } from '../ledger.js';
import { parseTilePath } from '../tiles.js';

/** Of checkpoints and proofs (C2SP tlog-tiles). */
export const TEXT = 'text/plain; charset=utf-8';

/** Answers the tree as it stands, signed. */
export async function answerCheckpoint(ledger: Ledger, scope: Scope, response: Response): Promise<void> {
  const { note } = await ledger.checkpoint(scope);
  response.setHeader('Content-Type', TEXT);
  // It changes with every record.
  response.setHeader('Cache-Control', 'no-store');
  response.send(note);
}

/**
 * Answers a tile or a bundle of entries. What a path names never changes, so it may be kept. `tile`: the rest of the
 * path, cut at its slashes or with encoded ones.
 */
export async function answerTile(
  ledger: Ledger,
  scope: Scope,
  level: string,
  tile: string | string[],
  response: Response,
  kept: 'private' | 'public',
): Promise<void> {
  const path = parseTilePath([level, tile].flat().join('/'));
  const bytes = path && (await ledger.tile(scope, path));
  if (!bytes) throw refused('tile_not_found');
  response.setHeader('Content-Type', 'application/octet-stream');
  response.setHeader('Cache-Control', `${kept}, max-age=31536000, immutable`);
  response.send(bytes);
}
