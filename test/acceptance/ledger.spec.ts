import { createHash, createPublicKey, verify } from 'node:crypto';
import { readCheckpoint, signatureBy, verifyConsistency, verifyInclusion } from '../../libs/ledger/index.js';
import { newEmail, subjectPath, subjectsIn } from '../support/subjects.js';
import { startWorld, type Answer, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const { erase } = subjectsIn(() => world);
const somebody = (): string => `email:${newEmail()}`;
const recorded = async (subject = somebody()) =>
  (await world.recorded({ subject }, { key: 'sk' })).body as { id: string; receiptId: string; subject: { id: string } };
const proofOf = (receipt: string, headers = {}): Promise<Answer> =>
  world.request('GET', `/v1/ledger/proof?receipt=${receipt}`, { headers });
const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
const sha256 = (...parts: (Buffer | string)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const checkpoint = async (): Promise<string> => (await world.request('GET', '/v1/ledger/checkpoint')).text;

interface Proof {
  leafIndex: number;
  leafHash: string;
  entry: string;
  opening: { salt: string; record: string } | null;
  treeSize: number;
  rootHash: string;
  hashes: string[];
  checkpoint: string;
}
const holds = ({ leafHash, leafIndex, treeSize, hashes, rootHash }: Proof): boolean =>
  verifyInclusion(bytes(leafHash), leafIndex, treeSize, hashes.map(bytes), bytes(rootHash));

/** By the key set alone, as whoever has the note would. */
async function isSigned(note: string): Promise<boolean> {
  const { keys } = (await world.request('GET', '/.well-known/jwks.json', { key: null })).body as {
    keys: { kty: string; crv: string; x: string }[];
  };
  const read = readCheckpoint(note)!;
  return keys.some(({ kty, crv, x }) => {
    const signature = signatureBy(read, Buffer.from(x, 'base64url'));
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
    return signature !== null && verify(null, Buffer.from(read.text), key, signature);
  });
}

describe('the ledger', () => {
  test('proves that a record stands in it, to whoever has nothing but the answer and the key set', async () => {
    const { id, receiptId, subject } = await recorded();
    const { status, body, headers } = await proofOf(receiptId);
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    const proof = body as Proof;
    expect(holds(proof)).toBe(true);
    const { salt, record } = proof.opening!;
    expect(sha256(bytes(salt), record)).toEqual(bytes(proof.entry));
    expect(sha256(Buffer.of(0), bytes(proof.entry))).toEqual(bytes(proof.leafHash));
    expect(JSON.parse(record)).toMatchObject({
      stream: `subject-${world.demo.site}.test.${subject.id}`,
      type: 'ConsentRecorded',
      data: { recordId: id },
    });
    expect(readCheckpoint(proof.checkpoint)).toMatchObject({
      origin: `urn:assent:ledger:${world.demo.site}:test`,
      size: proof.treeSize,
      root: bytes(proof.rootHash),
    });
    expect(await isSigned(proof.checkpoint)).toBe(true);
    expect(await isSigned(proof.checkpoint.replace('urn:assent:ledger:', 'urn:assent:lodger:'))).toBe(false);
  });

  test('has a leaf for every receipt: of preferences, confirmations and erasures too', async () => {
    const subject = somebody();
    const values = [{ field: 'channels.email.topics.product_updates', value: false }];
    await world.request('POST', '/v1/preferences', { body: { subject, values } });
    const { token } = (
      await world.request('POST', '/v1/preferences/confirmation-token', {
        body: {
          subject,
          values: [{ field: 'channels.email.topics.news', value: true }],
          redirectUrl: 'https://demo.example/',
        },
      })
    ).body;
    await world.request('POST', '/v1/preferences/confirm', { key: null, body: { token } });
    const history = (await world.request('GET', subjectPath(subject, '/preferences/history'))).body as {
      data: { object: string; receiptId: string | null }[];
    };
    // The request of a confirmation has none.
    const data = history.data.filter(({ receiptId }) => receiptId !== null);
    expect(data.map(({ object }) => object)).toContain('preference_confirmation');
    const erased = await erase(subject);
    const leaves = new Set<number>();
    for (const receipt of [...data.map(({ receiptId }) => receiptId), erased.body.receipt.id]) {
      const { status, body } = await proofOf(receipt as string);
      expect([receipt, status, status === 200 && holds(body as Proof)]).toEqual([receipt, 200, true]);
      leaves.add((body as Proof).leafIndex);
    }
    expect(leaves.size).toBe(new Set([...data.map(({ receiptId }) => receiptId), 'erasure']).size);
  });

  test('answers a proof as C2SP tlog-proof to whoever asks for text', async () => {
    const { receiptId } = await recorded();
    const { status, text, headers } = await proofOf(receiptId, { Accept: 'text/plain' });
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const [head, index, ...rest] = text.split('\n');
    expect([head, index]).toEqual(['c2sp.org/tlog-proof@v1', expect.stringMatching(/^index \d+$/)]);
    const hashes = rest.slice(0, rest.indexOf(''));
    const note = rest.slice(rest.indexOf('') + 1).join('\n');
    const { size, root } = readCheckpoint(note)!;
    const { leafHash } = (await proofOf(receiptId)).body as Proof;
    const at = Number(index!.slice('index '.length));
    expect(verifyInclusion(bytes(leafHash), at, size, hashes.map(bytes), root)).toBe(true);
    expect(await isSigned(note)).toBe(true);
  });

  test('only grows, and proves it between any two checkpoints', async () => {
    await proofOf((await recorded()).receiptId);
    const older = readCheckpoint(await checkpoint())!;
    await proofOf((await recorded()).receiptId);
    const newer = readCheckpoint(await checkpoint())!;
    expect(newer.size).toBeGreaterThan(older.size);
    const { body } = await world.request('GET', `/v1/ledger/consistency?from=${older.size}&to=${newer.size}`);
    const hashes = (body.hashes as string[]).map(bytes);
    expect(verifyConsistency(older.size, newer.size, older.root, newer.root, hashes)).toBe(true);
  });

  test.each([
    ['from=2&to=1', 'from'],
    ['from=0&to=1000000', 'to'],
    ['from=-1&to=1', 'from'],
    ['from=1', 'to'],
  ])('refuses consistency of %s', async (query, path) => {
    const { status, body } = await world.request('GET', `/v1/ledger/consistency?${query}`);
    expect([status, body.code, body.issues[0].path]).toEqual([422, 'validation_failed', path]);
  });

  test('hands out tiles that the root follows from, with slashes as they are and encoded', async () => {
    const { body } = await proofOf((await recorded()).receiptId);
    const width = Math.min(2, (body as Proof).treeSize);
    const get = (path: string): Promise<Response> =>
      fetch(`${world.url}/v1/ledger/tile/${path}`, { headers: { Authorization: `Bearer ${world.demo.secretKey}` } });
    const tile = await get(`0/000.p/${width}`);
    expect([tile.status, tile.headers.get('content-type'), tile.headers.get('cache-control')]).toEqual([
      200,
      'application/octet-stream',
      'private, max-age=31536000, immutable',
    ]);
    const leaves = Buffer.from(await tile.arrayBuffer());
    expect(Buffer.from(await (await get(`0/000.p%2F${width}`)).arrayBuffer())).toEqual(leaves);
    const entries = Buffer.from(await (await get(`entries/000.p/${width}`)).arrayBuffer());
    expect(entries.length).toBe(width * 34);
    expect(sha256(Buffer.of(0), entries.subarray(2, 34))).toEqual(leaves.subarray(0, 32));
    for (const path of ['0/000.p/0', '0/x001/000', '1/000', '64/000', 'entries/999', '0/000.p/1/2', 'nonsense/000'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  test('keeps the leaf of whom it forgot, and earlier proofs hold; nobody can open it any more', async () => {
    const subject = somebody();
    const { receiptId } = await recorded(subject);
    const earlier = (await proofOf(receiptId)).body as Proof;
    await erase(subject);
    const later = (await proofOf(receiptId)).body as Proof;
    expect([later.opening, later.leafIndex, later.entry]).toEqual([null, earlier.leafIndex, earlier.entry]);
    expect([holds(earlier), holds(later)]).toEqual([true, true]);
    const growth = await world.request('GET', `/v1/ledger/consistency?from=${earlier.treeSize}&to=${later.treeSize}`);
    expect(
      verifyConsistency(
        earlier.treeSize,
        later.treeSize,
        bytes(earlier.rootHash),
        bytes(later.rootHash),
        (growth.body.hashes as string[]).map(bytes),
      ),
    ).toBe(true);
  });

  test('tells nobody of receipts that are not there, or are of somebody else', async () => {
    for (const id of ['rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'nonsense'])
      expect((await proofOf(id)).body).toMatchObject({ code: 'receipt_not_found' });
    const { receiptId } = await recorded();
    expect((await world.request('GET', `/v1/ledger/proof?receipt=${receiptId}`, { key: 'pk' })).body).toMatchObject({
      code: 'secret_key_required',
    });
  });

  test('is shown to everybody where the site says so, and to nobody else before and after', async () => {
    await proofOf((await recorded()).receiptId);
    const { site } = world.demo;
    const at = (path: string, env = 'test'): Promise<Answer> =>
      world.request('GET', `/v1/ledgers/${site}/${env}/${path}`, { key: null });
    const set = (ledger: string): Promise<Answer> =>
      world.request('POST', '/admin/v1/sites', { key: 'operator', body: { site, name: site, ledger } });
    const keysOf = async (path: string, key: 'operator' | null) =>
      (await world.request('GET', path, { key })).body.data as {
        site: string;
        env: string;
        prefix: string | null;
        verifierKeys: { verifierKey: string }[];
      }[];
    const shown = async (path: string, key: 'operator' | null = null) =>
      (await keysOf(path, key)).find((each) => each.site === site && each.env === 'test');
    const [OPEN, ALL] = ['/.well-known/assent-ledger.json', '/admin/v1/ledger/verifier-key'];
    expect((await at('checkpoint')).body).toMatchObject({ code: 'ledger_not_found' });
    expect([await shown(OPEN), (await shown(ALL, 'operator'))?.prefix]).toEqual([undefined, null]);
    expect((await set('OPEN')).body).toMatchObject({ ledger: 'OPEN' });
    const until = async (path: string, status: number): Promise<Answer> => {
      for (const deadline = Date.now() + 60_000; ;) {
        const answer = await at(path);
        if (answer.status === status || Date.now() > deadline) return answer;
      }
    };
    const opened = await until('checkpoint', 200);
    expect([opened.status, opened.headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect(readCheckpoint(opened.text)?.origin).toBe(`urn:assent:ledger:${site}:test`);
    const known = (await shown(OPEN))!;
    expect(known).toEqual(await shown(ALL, 'operator'));
    expect(known.prefix).toBe(`/v1/ledgers/${site}/test`);
    // The text alone verifies a checkpoint: name, hash of the key, and a byte that says Ed25519 before the key.
    const read = readCheckpoint(opened.text)!;
    // Base64 has plus signs too. A key that is announced may stand behind the one that signed.
    const parts = known.verifierKeys.map(({ verifierKey }) =>
      /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(verifierKey)!.slice(1),
    );
    const signedBy = read.signatures[0]!.keyHash.toString('hex');
    const [name, hash, key] = parts.find((each) => each[1] === signedBy) as [string, string, string];
    const publicKey = bytes(key).subarray(1);
    expect([name, bytes(key)[0], hash]).toEqual([read.origin, 1, signedBy]);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
    expect(
      verify(null, Buffer.from(read.text), createPublicKey({ key: jwk, format: 'jwk' }), signatureBy(read, publicKey)!),
    ).toBe(true);
    expect((await at('tile/0/000.p/1')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await at('checkpoint', 'prod')).status).toBe(404);
    expect((await world.request('GET', '/v1/ledgers/nobody/test/checkpoint', { key: null })).status).toBe(404);
    expect((await set('CLOSED')).body).toMatchObject({ ledger: 'CLOSED' });
    expect((await until('checkpoint', 404)).body).toMatchObject({ code: 'ledger_not_found' });
    expect(await shown(OPEN)).toBeUndefined();
  });
});
