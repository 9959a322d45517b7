import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** A file that is sent while it is made. */
export interface Download {
  fileName: string;
  mediaType: string;
  bytes: number;
  content: AsyncIterable<Buffer>;
}

/**
 * Sends a file piece by piece; no cache keeps it. The answer begins with the first piece. Where a later piece fails, or
 * the reader goes away, the connection ends before the whole file was sent.
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
