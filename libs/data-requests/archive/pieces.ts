/** The same bytes in pieces of one size; the last one may be smaller. */
export async function* pieces(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < bytes) continue;
    const joined = Buffer.concat(waiting);
    let at = 0;
    for (; at + bytes <= joined.length; at += bytes) yield joined.subarray(at, at + bytes);
    waiting = [joined.subarray(at)];
    length = joined.length - at;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
