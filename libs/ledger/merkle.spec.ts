import fc from 'fast-check';
import { digestsIn, EMPTY_TREE, grow, rootOfEnd } from './growth.js';
import {
  consistencyRanges,
  EMPTY_ROOT,
  inclusionRanges,
  hashLeaves,
  leafHash,
  nodeHash,
  subtreesOf,
  verifyConsistency,
  verifyInclusion,
  type Digest,
  type LeafRange,
} from './merkle.js';
import { parseTilePath, rootOfSpans, spansFor, TILE_WIDTH, tilePath, widthIn, type TileId } from './tiles.js';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const base64 = (text: string): Buffer => Buffer.from(text, 'base64');

/** The leaves and roots that Certificate Transparency has been tested with since RFC 6962. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  hex,
);
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
].map(hex);

/** Straight from the definition in RFC 9162 section 2.1.1. */
function mth(leaves: readonly Uint8Array[]): Digest {
  if (leaves.length === 0) return EMPTY_ROOT;
  if (leaves.length === 1) return leafHash(leaves[0]!);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(mth(leaves.slice(0, split)), mth(leaves.slice(split)));
}
const entryOf = (n: number): Buffer => Buffer.from(`entry ${n}`);
const entries = (size: number): Buffer[] => Array.from({ length: size }, (_, n) => entryOf(n));
const inclusion = (leaves: readonly Uint8Array[], index: number): Digest[] =>
  inclusionRanges(index, leaves.length).map(({ from, to }) => mth(leaves.slice(from, to)));
const consistency = (leaves: readonly Uint8Array[], first: number): Digest[] =>
  consistencyRanges(first, leaves.length).map(({ from, to }) => mth(leaves.slice(from, to)));

describe('the tree of RFC 9162', () => {
  it('has the published roots, leaf by leaf', () => {
    ROOTS.forEach((root, size) => {
      expect(mth(LEAVES.slice(0, size))).toEqual(root);
      expect(rootOfEnd(grow(EMPTY_TREE, LEAVES.slice(0, size)).end)).toEqual(root);
    });
  });

  it('has the published proof that a leaf is there', () => {
    expect(inclusion(LEAVES, 0).map((node) => node.toString('hex'))).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ]);
    expect(inclusion(LEAVES, 5).map((node) => node.toString('hex'))).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect(inclusion(LEAVES.slice(0, 3), 2)).toEqual([ROOTS[2]]);
    expect(inclusion(LEAVES.slice(0, 1), 0)).toEqual([]);
  });

  it.each([
    [2, 5, ['Xwg/ChozygdqlSeYMlgNs+DvRYS9/x9UyKNg9Q3jAx4=', 'vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms=']],
    [
      6,
      7,
      [
        'DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o=',
        'sIaT7C5yFZcTBkHoIR5+7cy0wmQTlj7ubB4u0W/7Gl8=',
        '037kGJdt2VdTwcc4Yrk5j6Kiz5tP8P3+izDNlSCWFLc=',
      ],
    ],
  ])('has the published proof that a tree of %i leaves has grown into one of %i', (first, second, proof) => {
    expect(consistency(LEAVES.slice(0, second), first)).toEqual(proof.map(base64));
    expect(verifyConsistency(first, second, ROOTS[first]!, ROOTS[second]!, proof.map(base64))).toBe(true);
  });

  it('has no proof of a leaf that is not there, nor that a tree has shrunk', () => {
    for (const [index, size] of [
      [-1, 3],
      [3, 3],
      [0, 0],
      [0.5, 3],
      [0, 2 ** 53],
    ] as const)
      expect(() => inclusionRanges(index, size)).toThrow(RangeError);
    expect(() => consistencyRanges(4, 3)).toThrow(RangeError);
    expect(() => consistencyRanges(-1, 3)).toThrow(RangeError);
    expect(() => consistencyRanges(1, Infinity)).toThrow(RangeError);
  });
});

/** Every way of being wrong that the verifiers of Certificate Transparency are tested with. */
function wrongProofs(proof: readonly Digest[], roots: readonly Digest[]): Digest[][] {
  const flipped = proof.flatMap((node, i) =>
    [0, 4, 31].map((byte) => proof.map((each, n) => (n === i ? withBit(node, byte) : each))),
  );
  const inserted = [...roots, Buffer.alloc(32), Buffer.alloc(0), Buffer.from('garbage')];
  return [
    ...flipped,
    ...proof.map((_, i) => proof.filter((_each, n) => n !== i)),
    ...inserted.flatMap((node) =>
      Array.from({ length: proof.length + 1 }, (_, i) => [...proof.slice(0, i), node, ...proof.slice(i)]),
    ),
    ...(proof.length > 1 ? [[...proof].reverse()].filter((each) => !each.every((n, i) => n.equals(proof[i]!))) : []),
  ];
}
const withBit = (node: Digest, byte: number): Digest =>
  Buffer.from(node.map((each, i) => (i === byte ? each ^ 8 : each)));

describe('the verifier of a leaf', () => {
  const cases = Array.from({ length: 20 }, (_, size) => size + 1).flatMap((size) =>
    Array.from({ length: size }, (_, index) => [index, size] as const),
  );

  it('believes every leaf of every tree, and nothing else', () => {
    for (const [index, size] of cases) {
      const leaves = entries(size);
      const [proof, root, leaf] = [inclusion(leaves, index), mth(leaves), leafHash(leaves[index]!)];
      expect(verifyInclusion(leaf, index, size, proof, root)).toBe(true);
      for (const wrong of wrongProofs(proof, [root, leaf]))
        expect(verifyInclusion(leaf, index, size, wrong, root)).toBe(false);
      for (const other of [-1, index - 1, index + 1, index ^ 2, size, 0.5, NaN])
        if (other !== index) expect(verifyInclusion(leaf, other, size, proof, root)).toBe(false);
      for (const wrongLeaf of [withBit(leaf, 0), Buffer.alloc(0), root].filter((each) => !each.equals(leaf)))
        expect(verifyInclusion(wrongLeaf, index, size, proof, root)).toBe(false);
      for (const wrongRoot of [withBit(root, 31), Buffer.alloc(0), EMPTY_ROOT])
        expect(verifyInclusion(leaf, index, size, proof, wrongRoot)).toBe(false);
      for (const wrongSize of [0, -1, size / 2, NaN])
        if (wrongSize !== size) expect(verifyInclusion(leaf, index, wrongSize, proof, root)).toBe(false);
      expect(verifyInclusion(leaf, index, size * 2, proof, root)).toBe(false);
    }
  });
});

describe('the verifier of growth', () => {
  it('believes that every tree has grown into every later one, and nothing else', () => {
    for (let second = 1; second <= 20; second++)
      for (let first = 1; first <= second; first++) {
        const leaves = entries(second);
        const [proof, old, root] = [consistency(leaves, first), mth(leaves.slice(0, first)), mth(leaves)];
        expect(verifyConsistency(first, second, old, root, proof)).toBe(true);
        for (const wrong of wrongProofs(proof, [old, root]))
          expect(verifyConsistency(first, second, old, root, wrong)).toBe(false);
        if (first < second) expect(verifyConsistency(first, second, root, old, proof)).toBe(false);
        for (const [a, b] of [
          [first - 1, second],
          [first + 1, second],
          [first, second * 2],
          [second + 1, second],
          [-1, second],
          [0.5, second],
        ] as const)
          if (a !== 0 || proof.length > 0) expect(verifyConsistency(a, b, old, root, proof)).toBe(false);
        expect(verifyConsistency(first, second, withBit(old, 3), root, proof)).toBe(false);
        expect(verifyConsistency(first, second, old, withBit(root, 3), proof)).toBe(false);
      }
  });

  it('believes that a tree has grown from nothing, without any proof and with the root of nothing alone', () => {
    expect(verifyConsistency(0, 5, EMPTY_ROOT, ROOTS[5]!, [])).toBe(true);
    expect(verifyConsistency(0, 0, EMPTY_ROOT, EMPTY_ROOT, [])).toBe(true);
    expect(verifyConsistency(0, 5, ROOTS[1]!, ROOTS[5]!, [])).toBe(false);
    expect(verifyConsistency(0, 5, EMPTY_ROOT, ROOTS[5]!, [ROOTS[1]!])).toBe(false);
    expect(verifyConsistency(1, 1, ROOTS[1]!, ROOTS[1]!, [ROOTS[1]!])).toBe(false);
  });
});

describe('a tree that grows', () => {
  /** Tiles as they come to be when entries are added batch by batch. */
  class Tiles {
    readonly hashes = new Map<string, Digest[]>();
    end = EMPTY_TREE;

    add(batch: readonly Buffer[]): void {
      const first = this.end.size;
      const { end, tiles } = grow(this.end, batch);
      batch.forEach((entry, i) =>
        this.put({ level: 0, number: Math.floor((first + i) / TILE_WIDTH) }, leafHash(entry)),
      );
      for (const tile of tiles) for (const node of tile.hashes) this.put(tile, node);
      this.end = end;
    }
    above(ranges: readonly LeafRange[]): Digest[] {
      return spansFor(ranges).map((spans) =>
        rootOfSpans(
          spans,
          spans.map(({ level, number, from, to }) =>
            Buffer.concat((this.hashes.get(`${level}/${number}`) ?? []).slice(from, to)),
          ),
        ),
      );
    }
    private put({ level, number }: TileId, node: Digest): void {
      const key = `${level}/${number}`;
      this.hashes.set(key, [...(this.hashes.get(key) ?? []), node]);
    }
  }

  it('has the same tiles and root whatever the batches, each tile as wide as C2SP says', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 8 }), (batches) => {
        const [cut, whole] = [new Tiles(), new Tiles()];
        const size = batches.reduce((a, b) => a + b);
        const all = entries(size);
        let at = 0;
        for (const count of batches) cut.add(all.slice(at, (at += count)));
        whole.add(all);
        expect(cut.end).toEqual(whole.end);
        expect(cut.hashes).toEqual(whole.hashes);
        expect(rootOfEnd(cut.end)).toEqual(mth(all));
        for (const [key, hashes] of cut.hashes) {
          const [level, number] = key.split('/').map(Number) as [number, number];
          expect(hashes).toHaveLength(widthIn(size, { level, number }));
        }
      }),
      { numRuns: 25 },
    ));

  it('proves from its tiles what the definition says, at every size that it had', () => {
    const tiles = new Tiles();
    const all = entries(70_000);
    tiles.add(all);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70_000 }), fc.nat(), fc.nat(), (size, a, b) => {
        const [index, first] = [a % size, b % size];
        const [root] = tiles.above([{ from: 0, to: size }]);
        const proof = tiles.above(inclusionRanges(index, size));
        expect(verifyInclusion(leafHash(all[index]!), index, size, proof, root!)).toBe(true);
        const needed = spansFor(inclusionRanges(index, size)).flat();
        expect(new Set(needed.map(({ level, number }) => `${level}/${number}`)).size).toBeLessThanOrEqual(6);
        const growth = tiles.above(consistencyRanges(first, size));
        const older = first === 0 ? EMPTY_ROOT : tiles.above([{ from: 0, to: first }])[0]!;
        expect(verifyConsistency(first, size, older, root!, growth)).toBe(true);
      }),
      { numRuns: 60 },
    );
    expect(tiles.above([{ from: 0, to: 70_000 }])).toEqual([rootOfEnd(tiles.end)]);
  });

  it('of 70,000 leaves has the tiles of the example in the specification', () => {
    const widths = (level: number): number[] =>
      Array.from({ length: 280 }, (_, number) => widthIn(70_000, { level, number })).filter((width) => width > 0);
    expect(widths(0)).toEqual([...Array.from({ length: 273 }, () => 256), 112]);
    expect(widths(1)).toEqual([256, 17]);
    expect(widths(2)).toEqual([1]);
    expect(widths(3)).toEqual([]);
    expect([widthIn(256, { level: 0, number: 0 }), widthIn(256, { level: 1, number: 0 })]).toEqual([256, 1]);
  });

  it('hashes leaves in their place as it does one by one', () => {
    const nodes = entries(300).map(leafHash);
    const bytes = Buffer.concat(nodes);
    hashLeaves(bytes);
    expect(bytes).toEqual(Buffer.concat(nodes.map(leafHash)));
  });

  it('says so where a tile is not there or too short', () => {
    const [spans] = spansFor([{ from: 0, to: 2 }]);
    expect(() => rootOfSpans(spans!, [leafHash(entryOf(0))])).toThrow(/tile 0\/0 ends before hash 2/);
  });
});

it('subtrees of a range are perfect, in order, and as few as can be', () => {
  expect(subtreesOf({ from: 0, to: 0 })).toEqual([]);
  expect(subtreesOf({ from: 5, to: 16 })).toEqual([
    { level: 0, index: 5 },
    { level: 1, index: 3 },
    { level: 3, index: 1 },
  ]);
  expect(subtreesOf({ from: 0, to: 11 })).toEqual([
    { level: 3, index: 0 },
    { level: 1, index: 4 },
    { level: 0, index: 10 },
  ]);
});

it('digests are read one after the other', () =>
  expect(digestsIn(Buffer.concat([ROOTS[1]!, ROOTS[2]!]))).toEqual([ROOTS[1], ROOTS[2]]));

describe('the path of a tile', () => {
  it.each([
    ['0/000', { level: 0, number: 0, width: 256 }],
    ['1/x001/x234/067', { level: 1, number: 1_234_067, width: 256 }],
    ['63/999', { level: 63, number: 999, width: 256 }],
    ['0/x001/000.p/1', { level: 0, number: 1000, width: 1 }],
    ['entries/x039/062.p/255', { level: 'entries', number: 39_062, width: 255 }],
  ] as const)('%s is read and written', (path, tile) => {
    expect(parseTilePath(path)).toEqual(tile);
    expect(tilePath(tile)).toBe(path);
  });

  it.each([
    '',
    '0',
    '0/',
    '0/0',
    '0/0000',
    '00/000',
    '64/000',
    '-1/000',
    'x/000',
    '0/x000/000',
    '0/x000/x001/000',
    '0/001/000',
    '0/x001',
    '0/x001/x002/x003/x004/x005/006',
    '0/000.p',
    '0/000.p/',
    '0/000.p/0',
    '0/000.p/01',
    '0/000.p/256',
    '0/000.p/999',
    '0/000/',
    'entries/000.p/1/2',
    '0/000\n',
  ])('%j is none', (path) => expect(parseTilePath(path)).toBeNull());
});
