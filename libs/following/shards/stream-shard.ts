/** The shard of a stream (FNV-1a of its name), for logs that do not compute it themselves. */
export function shardOfStream(stream: string, of: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < stream.length; i++) hash = Math.imul(hash ^ stream.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % of;
}
