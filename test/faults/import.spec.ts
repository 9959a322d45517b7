import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomInt, randomUUID } from 'node:crypto';
import { spawnAssent } from '../support/command-line.js';
import { generator } from '../support/generator.js';
import { until } from '../support/timing.js';
import { pathOf, startWorld, type World } from '../support/world.js';

/** Every run can be had again: FAULTS_SEED is printed; FAULTS_KILLS makes it long. */
const SEED = Number(process.env['FAULTS_SEED'] ?? randomInt(2 ** 31));
const KILLS = Math.min(Number(process.env['FAULTS_KILLS'] ?? 4), 25);
/** People that a process which is killed at random can import at least. */
const PEOPLE = 400 * KILLS;
/** People whose whole history is looked at. */
const LOOKED_AT = 1_000;
const PROGRAM = fileURLToPath(new URL('../../apps/cli/assent.mjs', import.meta.url));
const HEADER = 'subject,purpose,decision,given_at\n';

let world: World;
let folder: string;
beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'assent-import-'));
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const logPosition = async (): Promise<number> =>
  Number((await world.request('GET', '/readyz', { key: null })).body.logPosition);

it(
  `imports every row once, and rejects every wrong one once, when it is killed and begun again (seed ${SEED}, ${KILLS} kills)`,
  async () => {
    const random = generator(SEED);
    const people = Array.from({ length: PEOPLE }, () => `user_id:${randomUUID()}`);
    const file = join(folder, 'people.csv');
    const rejects = join(folder, 'rejected.csv');
    const at = new Date(Date.now() - 86_400_000).toISOString();
    const rows = people.flatMap((subject, i) => [
      `${subject},analytics,GRANTED,${at}`,
      `${subject},marketing,${i % 3 === 0 ? 'GRANTED' : 'DENIED'},${at}`,
      ...(i % 50 === 0 ? [`${subject},nothere,GRANTED,${at}`] : []),
    ]);
    writeFileSync(file, `${HEADER}${rows.join('\n')}\n`);
    const wrong = rows.filter((row) => row.includes(',nothere,')).length;
    const args = ['import', file, '--map', 'csv', '--site', world.demo.site, '--concurrency', '2', '--json'];
    const env = { ASSENT_URL: world.url, ASSENT_OPERATOR_TOKEN: world.demo.operatorToken };

    let ended = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      // From its beginning, and from where it was: both have to be harmless.
      const resumes = kill > 0 && random() < 0.7;
      if (!resumes) rmSync(rejects, { force: true });
      const before = await logPosition();
      const some = 20 + Math.floor(random() * 600);
      const child = spawn(
        process.execPath,
        [PROGRAM, ...args, '--rejects', rejects, ...(resumes ? ['--resume'] : [])],
        { env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' },
      );
      const exit = once(child, 'exit');
      await until(async () => child.exitCode !== null || (await logPosition()) > before + some);
      child.kill('SIGKILL');
      await exit;
      ended += child.exitCode === null ? 0 : 1;
    }
    // A kill proves nothing where the import was over.
    expect(ended).toBeLessThan(KILLS);
    const last = await spawnAssent([...args, '--rejects', rejects, '--resume'], env);
    expect({ ...last, out: '' }).toMatchObject({ code: 4 });
    expect(existsSync(`${rejects}.resume`)).toBe(false);
    const rejected = readFileSync(rejects, 'utf8').trim().split('\n').slice(1);
    const lines = rejected.map((line) => Number(line.split(',')[4]));
    expect(lines).toEqual(rows.flatMap((row, i) => (row.includes(',nothere,') ? [i + 2] : [])));

    const checked = JSON.parse((await spawnAssent([...args, '--check'], env)).out) as Record<string, unknown>;
    expect(checked).toMatchObject({
      rows: rows.length,
      recordedBefore: 2 * PEOPLE,
      missing: 0,
      rowsRejected: wrong,
      subjects: PEOPLE,
    });
    for (const subject of people.slice(0, LOOKED_AT)) {
      const { body } = await world.request('GET', pathOf(subject, '/history'), { key: 'sk' });
      const found = (body.data as { purpose: string }[]).map(({ purpose }) => purpose).sort();
      expect({ subject, found }).toEqual({ subject, found: ['analytics', 'marketing'] });
    }
  },
  600_000 + KILLS * 60_000,
);

it('needs no more memory for a large file than for a small one', async () => {
  const rows = Math.max(60_000, KILLS * 15_000);
  const file = join(folder, 'large.csv.gz');
  const gzip = createGzip({ level: 1 });
  const written = finished(gzip.pipe(createWriteStream(file)));
  gzip.write(HEADER.replace('\n', ',metadata.note\n'));
  const note = 'x'.repeat(1_000);
  for (let i = 0; i < rows; i++) {
    const more = gzip.write(`user_id:${i},analytics,GRANTED,2026-01-01T00:00:00Z,"${note}"\n`);
    if (!more) await once(gzip, 'drain');
  }
  gzip.end();
  await written;
  // All that is asked of the service here is that it takes what comes.
  let records = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const results = (JSON.parse(body) as { records: unknown[] }).records.map((_, index) => ({
        index,
        status: 'RECORDED',
      }));
      records += results.length;
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ results }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    // Sixty megabytes of text do not fit into a heap of that size, which the command itself nearly fills.
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=56', PROGRAM, 'import', file, '--map', 'csv', '--json'],
      {
        env: {
          PATH: process.env['PATH'],
          ASSENT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          ASSENT_OPERATOR_TOKEN: 'any',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    expect([code, records]).toEqual([0, rows]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}, 600_000);
