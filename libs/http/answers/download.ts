import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** A file that is handed out once, as it is made. */
export interface Download {
  fileName: string;
  mediaType: string;
  bytes: number;
  content: AsyncIterable<Buffer>;
}

/**
 * Sends a file that no cache keeps, piece by piece. The answer has begun when the first piece is read: where a later one
 * fails, or the reader goes away, the connection ends before its length.
 */
export async function sendDownload(response: ServerResponse, download: Download): Promise<void> {
  const { fileName, mediaType, bytes, content } = download;
  response.writeHead(200, {
    'Content-Type': mediaType,
    'Content-Length': bytes,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  await pipeline(content, response).catch(() => response.destroy());
}
