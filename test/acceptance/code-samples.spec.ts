import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CodeSample } from '../../libs/http/openapi/openapi-samples.js';
import type { ServedOperation } from '../support/openapi.js';
import { noneAnnounced } from '../support/signing-keys.js';
import { mailedCode } from '../support/portal-codes.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';
import { answeredRequest, archiveToken, newDataRequest, OF_ONE_REQUEST } from '../support/data-requests.js';
import { givenUpDelivery, newEndpoint } from '../support/webhook-endpoints.js';

/*
 * The samples of the OpenAPI document are run as they stand there: curl by bash, JavaScript by node. What was handed out
 * once and cannot be guessed, such as a token of a link, is put in the place of its example.
 */

/** Run each file by itself; beside it stand then what it printed (`.out`) and how it ended (`.code`). */
const BY_BASH = `for file; do bash "$file" > "$file.out" 2>&1; echo $? > "$file.code"; done`;
const BY_NODE = `
  import { writeFileSync } from 'node:fs';
  import { format } from 'node:util';
  for (const file of process.argv.slice(1)) {
    let printed = '';
    console.log = (...values) => (printed += format(...values) + '\\n');
    const code = await import(file).then(() => 0, (error) => (console.log(error), 1));
    writeFileSync(file + '.out', printed);
    writeFileSync(file + '.code', String(code));
  }`;
const run = promisify(execFile);

type Sampled = ServedOperation & { 'x-codeSamples': CodeSample[] };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-samples-'));
  // What curl prints in the end, whatever the sample says.
  writeFileSync(join(folder, '.curlrc'), 'write-out = "\\n%{http_code}"\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The data request that examples name. */
const REQUEST = 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S';
/** The endpoint of webhooks that examples name. */
const ENDPOINT = 'whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S';

/** What an example cannot name, since only the service can make it. By operation: what stands there, and where to get another. */
const HANDED_OUT: Record<string, (world: World) => Promise<Record<string, string>>> = {
  confirmPreferences: async (world) => ({ [exampleToken(world, 'confirmPreferences')]: await confirmation(world) }),
  confirmPage: async (world) => ({ [exampleToken(world, 'confirmPage')]: await confirmation(world) }),
  unsubscribe: async (world) => ({ [exampleToken(world, 'unsubscribe')]: await unsubscription(world) }),
  undoByLink: async (world) => {
    const done = await made(world, '/v1/preferences/confirm', { token: await confirmation(world) });
    return { [exampleToken(world, 'undoByLink')]: (done as unknown as { undo: { token: string } }).undo.token };
  },
  unsubscribePage: async (world) => ({ [exampleToken(world, 'unsubscribePage')]: await unsubscription(world) }),
  revertMerge: async (world) => {
    for (const value of ['kim', 'lee'])
      await made(world, '/v1/subjects', { identifiers: [{ kind: 'user_id', value }] });
    const merge = await made(world, '/v1/subjects/merge', { sources: ['user_id:kim'], target: 'user_id:lee' });
    return { mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S: merge.mergeId! };
  },
  getReceipt: async (world) => {
    const { receiptId, receiptToken } = (await world.recorded({ subject: somebody() }, { key: 'sk' })).body;
    return {
      rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S: receiptId as string,
      rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4: receiptToken as string,
    };
  },
  saveCatalogueDraft: async (world) => ofSite(await siteOfDrafts(world), 'published-0'),
  discardCatalogueDraft: async (world) => ofSite(await siteOfDrafts(world, 'saved'), 'draft-0'),
  publishCatalogueDraft: async (world) => ofSite(await siteOfDrafts(world, 'saved'), 'draft-0'),
  lookUpSubject: async (world) => {
    await made(world, '/v1/subjects', { identifiers: [{ kind: 'user_id', value: 'looked-up' }] });
    return { '4712': 'looked-up', '/sites/demo/': `/sites/${world.demo.site}/` };
  },
  revealIdentifiers: async (world) => ({
    '/sites/demo/': `/sites/${world.demo.site}/`,
    sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S: (
      await made(world, '/v1/subjects', { identifiers: [{ kind: 'user_id', value: 'revealed' }] })
    ).id!,
  }),
  getLedgerProof: async (world) => ({ rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S: await inLedger(world) }),
  getLedgerConsistency: async (world) => {
    await inLedger(world);
    return {};
  },
  getLedgerTile: async (world) => {
    await inLedger(world);
    return {};
  },
  getOpenLedgerCheckpoint: openLedger,
  getOpenLedgerTile: openLedger,
  ...Object.fromEntries(
    [
      ...['listWebhookDeliveries', 'getWebhookEndpoint', 'changeWebhookEndpoint', 'deleteWebhookEndpoint'],
      ...['rotateWebhookSecret', 'testWebhookEndpoint', 'replayWebhookEvents'],
    ].map((id) => [id, async (world: World) => ({ [ENDPOINT]: await newEndpoint(world) })]),
  ),
  ...Object.fromEntries(
    OF_ONE_REQUEST.map((id) => [id, async (world: World) => ({ [REQUEST]: await newDataRequest(world, id) })]),
  ),
  enterPortalCode: async (world) => {
    const { handle, code } = await mailedCode(world);
    return { pcd_Zm9yIHRoZSBkb2NzIG9ubH: handle, '042137': code };
  },
  linkArchive: async (world) => ({ [REQUEST]: await answeredRequest(world) }),
  archivePage: async (world) => ({ [exampleToken(world, 'archivePage')]: await archiveToken(world) }),
  fetchArchive: async (world) => ({ [exampleToken(world, 'fetchArchive')]: await archiveToken(world) }),
  retryWebhookDelivery: (world) => retriedDelivery(world),
  rotateKey: async (world) => ({ key_4Zt8nXq2LmPa: await issuedKey(world) }),
  revokeKey: async (world) => ({ key_4Zt8nXq2LmPa: await issuedKey(world) }),
  rotateSigningKey: async (world) => {
    await noneAnnounced(world);
    return {};
  },
  // Revoked again, it stays revoked: nothing is announced that another sample would have to wait for.
  revokeSigningKey: async (world) => ({ kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k: await noneAnnounced(world) }),
  changeOperator: async (world) => ({ opt_4Zt8nXq2LmPa: await issuedToken(world) }),
  endOperator: async (world) => ({ opt_4Zt8nXq2LmPa: await issuedToken(world) }),
  getAuditBundle: (world) => madeBundle(world),
  downloadAuditBundle: (world) => madeBundle(world),
  rotateOperatorToken: async (world) => ({ opt_4Zt8nXq2LmPa: await issuedToken(world) }),
  revokeOperatorToken: async (world) => ({ opt_4Zt8nXq2LmPa: await issuedToken(world) }),
};

const ofSite = (site: string, tag: string): Record<string, string> => ({
  '/sites/demo/': `/sites/${site}/`,
  'draft-6': tag,
});

/** A site of its own, whose catalogue is written by drafts. */
async function siteOfDrafts(world: World, draft?: 'saved'): Promise<string> {
  const site = `drafts-${randomUUID().slice(0, 8)}`;
  await made(world, '/admin/v1/sites', { site, name: site }, 'operator');
  const catalogue = `/admin/v1/sites/${site}/test/catalogue`;
  const ask = { key: 'operator' } as const;
  await world.request('PATCH', `${catalogue}/settings`, { ...ask, body: { owner: 'CONSOLE' } });
  if (draft === undefined) return site;
  const { body } = await world.request('GET', `/admin/v1/sites/${world.demo.site}/test/catalogue`, ask);
  const headers = { 'If-Match': '"published-0"' };
  await world.request('PUT', `${catalogue}/draft`, { ...ask, headers, body: { purposes: body.purposes } });
  return site;
}

async function madeBundle(world: World): Promise<Record<string, string>> {
  const path = `/admin/v1/sites/${world.demo.site}/test/audit-bundles`;
  const ask = { key: 'operator' } as const;
  const { body } = await world.request('POST', path, { ...ask, body: { since: '2030-01-01T00:00:00Z' } });
  const { id } = body as { id: string };
  await until(async () => (await world.request('GET', `${path}/${id}`, ask)).body.state === 'READY');
  return { '/sites/demo/': `/sites/${world.demo.site}/`, abn_01KAK3V0ZC8W9J2M4N6P8Q0R2S: id };
}

async function retriedDelivery(world: World): Promise<Record<string, string>> {
  const delivery = await givenUpDelivery(world, await newEndpoint(world));
  return { [`${ENDPOINT}.evt_01KAK3V0ZC8W9J2M4N6P8Q0R2S`]: delivery };
}

/** A receipt whose record stands in the ledger. */
async function inLedger(world: World): Promise<string> {
  const { receiptId } = (await world.recorded({ subject: somebody() }, { key: 'sk' })).body as { receiptId: string };
  const { status } = await world.request('GET', `/v1/ledger/proof?receipt=${receiptId}`);
  if (status !== 200) throw new Error(`the ledger has no leaf for ${receiptId}: ${status}`);
  return receiptId;
}
async function openLedger(world: World): Promise<Record<string, string>> {
  await inLedger(world);
  const { site } = world.demo;
  await made(world, '/admin/v1/sites', { site, name: 'Demo Shop', ledger: 'OPEN' }, 'operator');
  return { shop: site, live: 'test' };
}

async function made(world: World, path: string, body: object, key = 'sk'): Promise<Record<string, string>> {
  const answer = await world.request('POST', path, { key, body });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
  return answer.body as Record<string, string>;
}

const issuedKey = async (world: World): Promise<string> =>
  (await made(world, '/admin/v1/sites/demo/keys', { type: 'sk', env: 'test', name: 'sample' }, 'operator')).id!;
const issuedToken = async (world: World): Promise<string> =>
  (
    await made(
      world,
      '/admin/v1/operator-tokens',
      { name: 'sample', roles: [{ role: 'VIEWER', site: '*', env: '*' }] },
      'operator',
    )
  ).id!;
/** A newer link about the same person and topic takes the place of an older one: each is about somebody else. */
let people = 0;
const somebody = (): string => `email:lin-${++people}@example.org`;
const confirmation = async (world: World): Promise<string> =>
  (
    await made(world, '/v1/preferences/confirmation-token', {
      subject: somebody(),
      values: [{ field: 'channels.email.topics.news', value: true }],
      redirectUrl: 'https://demo.example/thanks',
    })
  ).token!;
async function unsubscription(world: World): Promise<string> {
  const subject = somebody();
  await made(world, '/v1/preferences', { subject, channel: 'email', values: [{ field: 'news', value: false }] });
  return (await made(world, '/v1/preferences/unsubscribe-link', { subject, channel: 'email' })).token!;
}

const operationsOf = (world: World): Sampled[] =>
  Object.values(world.document.paths)
    .flatMap((methods) => Object.values(methods) as Sampled[])
    // Twins have the samples of the operation.
    // Sessions begin in pages of the service alone.
    .filter(({ operationId }) => !['signIn', 'lookAround'].includes(operationId))
    .filter((operation) => !operation['x-twin-of']);

/** The token that the samples of an operation show. */
function exampleToken(world: World, id: string): string {
  const { 'x-codeSamples': samples } = operationsOf(world).find(({ operationId }) => operationId === id)!;
  return /\b([cru]ft|dat)_\w+/.exec(samples[0]!.source)![0];
}

interface Result {
  id: string;
  exitCode: string;
  printed: string;
}

/** Runs samples in the order of the document, with the keys of the demo site. */
async function ran(world: World, lang: CodeSample['lang'], ids: string[], keys: object = {}): Promise<Result[]> {
  const operations = operationsOf(world).filter(({ operationId }) => ids.includes(operationId));
  const files: string[] = [];
  for (const { operationId, 'x-codeSamples': samples } of operations) {
    let { source } = samples.find((sample) => sample.lang === lang)!;
    for (const given of Object.entries((await HANDED_OUT[operationId]?.(world)) ?? {})) {
      // JavaScript has the parts of a path apart.
      const isPath = lang === 'JavaScript' && given[0].startsWith('/sites/');
      const [example, real] = isPath ? given.map((path) => `'${path.split('/')[2]!}'`) : given;
      if (example === undefined || real === undefined) continue;
      if (!source.includes(example)) throw new Error(`the sample of ${operationId} does not show ${example}`);
      source = source.replaceAll(example, real);
    }
    const file = join(folder, `${operationId}.${lang === 'Shell' ? 'sh' : 'mjs'}`);
    writeFileSync(file, source);
    files.push(file);
  }
  const { publicKey, secretKey, operatorToken } = world.demo;
  const env = {
    PATH: process.env.PATH,
    CURL_HOME: folder,
    PK: publicKey,
    SK: secretKey,
    ASSENT_OPERATOR_TOKEN: operatorToken,
    ...keys,
  };
  if (lang === 'Shell') await run('bash', ['-c', BY_BASH, 'bash', ...files], { env });
  else await run(process.execPath, ['--input-type=module', '-e', BY_NODE, '--', ...files], { env });
  return operations.map(({ operationId }, i) => ({
    id: operationId,
    exitCode: readFileSync(`${files[i]}.code`, 'utf8').trim(),
    printed: readFileSync(`${files[i]}.out`, 'utf8'),
  }));
}

const statusOf = ({ printed }: Result): string => /\d*$/.exec(printed)![0];

// Two languages, two sites: the last sample erases somebody.
describe.each(['Shell', 'JavaScript'] as const)('the samples in %s', (lang) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    await made(world, '/v1/subjects', { identifiers: [{ kind: 'user_id', value: '4712' }] });
  });
  afterAll(() => world?.stop());

  test('succeed, each of them', async () => {
    const operations = operationsOf(world);
    const results = await ran(
      world,
      lang,
      operations.map(({ operationId }) => operationId),
    );
    expect(results.length).toBeGreaterThan(40);
    const failed = results.filter((result) => {
      if (result.exitCode !== '0' || lang === 'JavaScript') return result.exitCode !== '0';
      const { responses } = operations.find(({ operationId }) => operationId === result.id)!;
      return !Object.keys(responses).includes(statusOf(result)) || Number(statusOf(result)) >= 300;
    });
    expect(failed).toEqual([]);
  });

  test('fail visibly where they may not', async () => {
    const [refused] = await ran(world, lang, ['getSubject'], { SK: world.demo.publicKey });
    expect(refused!.printed).toContain(
      lang === 'Shell' ? '"code":"secret_key_required"' : 'Error: secret_key_required',
    );
    expect(lang === 'Shell' ? statusOf(refused!) : refused!.exitCode).toBe(lang === 'Shell' ? '403' : '1');
  });
});
