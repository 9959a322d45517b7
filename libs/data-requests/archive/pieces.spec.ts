import { pieces } from './pieces.js';

async function cut(chunks: number[], bytes: number): Promise<number[][]> {
  let next = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const length of chunks) yield Uint8Array.from({ length }, () => next++);
  }
  const made: number[][] = [];
  for await (const piece of pieces(source(), bytes)) made.push([...piece]);
  return made;
}

describe('pieces of a stream', () => {
  it.each([
    [[], []],
    [[0], []],
    [[3], [3]],
    [[4], [4]],
    [
      [1, 1, 1, 1, 1],
      [4, 1],
    ],
    [
      [9, 0, 2],
      [4, 4, 3],
    ],
    [
      [8, 4],
      [4, 4, 4],
    ],
  ])('chunks of %j make pieces of %j bytes, in their order', async (chunks, lengths) => {
    const made = await cut(chunks, 4);
    expect(made.map(({ length }) => length)).toEqual(lengths);
    expect(made.flat()).toEqual(made.flat().map((_, i) => i));
  });
});
