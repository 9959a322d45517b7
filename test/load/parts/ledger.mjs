import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startDatabase } from '../database.mjs';
import { record } from '../decision-event.mjs';

const FOLDED = 200_000;
const BATCH = 2_000;
const SUBJECTS = 20_000;
const PROOFS = 2_000;
const SCOPE = { site: 'shop', env: 'live' };
/** Leaves that are made and stored at once. */
const CHUNK = 256 * 400;
const LEAST_LEAVES = 50_000;
const MOST_PROOF_MS = 5;

/**
 * The ledger: how many leaves are made of events in memory, whose keys are known, on one core; how long a proof takes
 * from the tiles of a large tree; and what that tree takes on the disk.
 */
export async function measureLedger({ folder }, { leaves, rounds }, progress, measured) {
  const database = await startDatabase(join(folder, 'database'));
  try {
    const { migrate } = await import('../../../dist/libs/engines/database/migrate.js');
    const { COMPOSITION } = await import('../../../dist/libs/composition/contexts.js');
    const { Database } = await import('../../../dist/libs/engines/database/database.js');
    await migrate(database.url, COMPOSITION.migrations);
    const own = new Database(database.url, { max: 4, name: 'bench', budgetMs: 600_000 });
    try {
      progress.say('folding');
      measured([await folding(own, rounds)]);
      progress.say(`${leaves.toLocaleString('en')} leaves`);
      const bytes = await fill(database, leaves, (share) => progress.say(`${Math.round(share * 100)} % of the leaves`));
      measured([
        { name: 'ledger-size', title: 'MB of a million records in the ledger', value: bytes / leaves, unit: 'MB' },
        await proving(own, leaves),
      ]);
    } finally {
      await own.close();
    }
  } finally {
    await database.stop();
  }
}

async function folding(database, rounds) {
  const { LedgerSink } = await import('../../../dist/libs/ledger/ledger-sink.js');
  const { UnparsedEvent } = await import('../../../dist/libs/log/unparsed-event.js');
  const ids = Array.from({ length: SUBJECTS }, (_, n) => `sub_${String(n).padStart(26, '0')}`);
  const keys = new Map(ids.map((id) => [id, randomBytes(32)]));
  const { data, metadata } = record('analytics', 0);
  const [dataText, metadataText] = [JSON.stringify(data), JSON.stringify(metadata)];
  const events = Array.from({ length: FOLDED }, (_, n) => {
    const stream = `subject-${SCOPE.site}.${SCOPE.env}.${ids[n % SUBJECTS]}`;
    return new UnparsedEvent(stream, n, BigInt(n), randomUUID(), 'ConsentRecorded', dataText, metadataText);
  });
  const vault = { keysFor: async (_, wanted) => new Map(wanted.map((id) => [id, keys.get(id)])) };
  const rates = [];
  // The first time the code is not compiled yet.
  for (let round = 0; round <= rounds; round++) {
    const sink = new LedgerSink(database, vault);
    const since = performance.now();
    for (let at = 0; at < FOLDED; at += BATCH) await sink.prepare(events.slice(at, at + BATCH));
    if (round > 0) rates.push((FOLDED / (performance.now() - since)) * 1000);
  }
  return {
    name: 'ledger-leaves',
    title: 'leaves of the ledger, folded from memory',
    value: median(rates),
    unit: '/s',
    floor: { least: LEAST_LEAVES },
  };
}

/** Stores a tree as its writer would; answers the bytes that it takes. */
async function fill({ query }, leaves, look) {
  const { EMPTY_TREE, grow } = await import('../../../dist/libs/ledger/growth.js');
  const { positionBytes } = await import('../../../dist/libs/ledger/trees.js');
  const { site, env } = SCOPE;
  const tiles = new Map();
  let end = EMPTY_TREE;
  while (end.size < leaves) {
    const first = end.size;
    const entries = Array.from({ length: Math.min(CHUNK, leaves - first) }, (_, i) => entryOf(first + i));
    const grown = grow(end, entries);
    end = grown.end;
    for (const { level, number, hashes } of grown.tiles)
      tiles.set(`${level}/${number}`, [...(tiles.get(`${level}/${number}`) ?? []), ...hashes]);
    const numbers = Array.from({ length: Math.ceil(entries.length / 256) }, (_, i) => i);
    const bundle = (i) => entries.slice(i * 256, (i + 1) * 256);
    const positions = (i) => bundle(i).map((_, n) => positionOf(first + i * 256 + n));
    await query(
      `insert into ledger.bundles select $1, $2, * from unnest($3::int[], $4::bigint[], $5::bytea[], $6::bytea[])`,
      [
        site,
        env,
        numbers.map((i) => first / 256 + i),
        numbers.map((i) => positions(i)[0]),
        numbers.map((i) => Buffer.concat(bundle(i))),
        numbers.map((i) => positionBytes(positions(i))),
      ],
    );
    look(end.size / leaves);
  }
  for (const [key, hashes] of tiles)
    await query('insert into ledger.tiles values ($1, $2, $3, $4, $5)', [
      site,
      env,
      ...key.split('/').map(Number),
      Buffer.concat(hashes),
    ]);
  await query('insert into ledger.trees values ($1, $2, $3, $4)', [site, env, end.size, Buffer.concat(end.edge)]);
  await query('vacuum (analyze) ledger.bundles, ledger.tiles');
  // What was written for the measurement is on the disk before it begins.
  await query('checkpoint');
  const [{ bytes }] = await query(
    `select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'r'`,
  );
  return bytes;
}

/** Every proof is another leaf's, and is verified. */
async function proving(database, leaves) {
  const { Ledger } = await import('../../../dist/libs/ledger/ledger.js');
  const { leafHash, verifyInclusion } = await import('../../../dist/libs/ledger/merkle.js');
  const ledger = new Ledger(database, null);
  const root = await ledger.rootAt(SCOPE, leaves);
  collectGarbage();
  const took = [];
  for (let n = 0; n < PROOFS; n++) {
    const leaf = Math.floor(Math.random() * leaves);
    const since = performance.now();
    const { index, hashes } = await ledger.prove(SCOPE, positionOf(leaf), leaves);
    took.push(performance.now() - since);
    if (index !== leaf || !verifyInclusion(leafHash(entryOf(leaf)), leaf, leaves, hashes, root))
      throw new Error(`the proof of leaf ${leaf} does not hold`);
  }
  took.sort((a, b) => a - b);
  const p99Ms = took[Math.floor(took.length * 0.99)];
  return {
    name: 'ledger-proof',
    title: `p99 of a proof among ${leaves.toLocaleString('en')} leaves, from tiles`,
    value: p99Ms,
    unit: 'ms',
    floor: { most: MOST_PROOF_MS },
    p50Ms: took[took.length >> 1],
    p99Ms,
  };
}

/** What filling the tree left behind is not collected while proofs are timed, as it would not be in a service. */
function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** The same for the same leaf, so that nothing has to be kept. */
const entryOf = (leaf) => createHash('sha256').update(`leaf ${leaf}`).digest();
/** Not every event of a log is a leaf of the same tree. */
const positionOf = (leaf) => BigInt(leaf) * 3n + 1n;
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
