/** Which of so many shards a stream belongs to, for logs that cannot say so themselves. FNV-1a. */
export function shardOfStream(stream: string, of: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < stream.length; i++) hash = Math.imul(hash ^ stream.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % of;
}
