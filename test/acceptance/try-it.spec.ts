import type { Locator, Page } from 'playwright-core';
import { ALL_OF_PAGES, startBrowser, type Browsing } from '../support/browser.js';
import type { ServedOperation } from '../support/openapi.js';
import { announcedKey, noneAnnounced } from '../support/signing-keys.js';
import { answeredRequest, archiveToken, newDataRequest } from '../support/data-requests.js';
import { givenUpDelivery, newEndpoint } from '../support/webhook-endpoints.js';
import { mailedCode } from '../support/portal-codes.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/** All of them take the page minutes of processor: `npm run faults` has them tried, and `npm test` a few. */
const ALL = ALL_OF_PAGES;

const FEW = ['getConsentState', 'confirmPage', 'listSites'];
/** Those that the other tests here ask for as well. */
const TRIED = [...FEW, 'recordConsent', 'getConsentHistory', 'createSubject'];

let world: World;
let browser: Browsing;
/** Whoever opens `/docs`, with all that the page says about keys followed. */
let page: Page;
/** What the page asked the service for. */
const sent: { method: string; url: string; headers: Record<string, string> }[] = [];

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  // What the examples speak of.
  await world.request('POST', '/v1/subjects', { body: { identifiers: [{ kind: 'user_id', value: '4712' }] } });
  page = await opened();
  page.on('request', (request) =>
    sent.push({ method: request.method(), url: request.url(), headers: request.headers() }),
  );
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});

/** Its document is cut down to a few operations, for Swagger UI computes seconds for each step through a long one. */
async function opened(url = world.url, isWhole = ALL): Promise<Page> {
  const fresh = await browser.open({ viewport: { width: 1200, height: 1000 } });
  if (!isWhole) await fresh.route('**/openapi.json', (route) => route.fulfill({ json: cutTo(TRIED) }));
  await fresh.goto(`${url}/docs`);
  await fresh.locator('.opblock').first().waitFor();
  return fresh;
}

/** The document that is served, with these operations only and the components that they refer to. */
function cutTo(ids: readonly string[]): unknown {
  const paths = Object.entries(world.document.paths).map(([path, methods]) => {
    const kept = Object.entries(methods).filter(([, { operationId }]) => ids.includes(operationId));
    return [path, Object.fromEntries(kept)] as const;
  });
  const cut = {
    ...world.document,
    paths: Object.fromEntries(paths.filter(([, kept]) => Object.keys(kept).length > 0)),
  };
  type Kind = keyof typeof cut.components;
  const meant = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, reference] of JSON.stringify(part).matchAll(/"#\/components\/([^"]+)"/g)) {
      if (meant.has(reference!)) continue;
      meant.add(reference!);
      const [kind, name] = reference!.split('/') as [Kind, string];
      follow(cut.components[kind][name]);
    }
  };
  follow(cut.paths);
  const components = Object.entries(cut.components).map(([kind, named]) => {
    const kept = Object.entries(named).filter(([name]) => kind === 'securitySchemes' || meant.has(`${kind}/${name}`));
    return [kind, Object.fromEntries(kept)] as const;
  });
  return { ...cut, components: Object.fromEntries(components) };
}

/** Types credentials into the dialog that asks for them. */
async function authorize(on: Page, given: Record<string, string>): Promise<void> {
  await on.getByRole('button', { name: 'Authorize', exact: true }).first().click();
  const dialog = on.locator('.modal-ux');
  for (const [scheme, credential] of Object.entries(given)) {
    const form = dialog.locator('.auth-container').filter({ hasText: `${scheme}  (` });
    await form.getByRole('textbox').fill(credential);
    await form.getByRole('button', { name: 'Apply credentials' }).click();
  }
  await dialog.locator('.close-modal').click();
}

interface Executed {
  status: string;
  text: string;
}

/** Opens an operation, fills in what is named, presses what a person would press, and reads what the page then shows. */
async function executed(
  on: Page,
  { operationId }: ServedOperation,
  given: Given = {},
): Promise<Executed & { filled: string[] }> {
  const block = on.locator(`.opblock[id$="-${operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Try it out' }).click();
  for (const [name, value] of Object.entries(given.parameters ?? {}))
    await block.locator(`tr[data-param-name="${name}"]`).locator('input, select').first().fill(value);
  if (given.body !== undefined) await block.locator('textarea').first().fill(JSON.stringify(given.body));
  const filled = await optionalOnesFilled(block);
  await block.getByRole('button', { name: 'Execute' }).click();
  const answer = block.locator('.live-responses-table tbody').first();
  await answer.locator('.response-col_status').waitFor();
  const [status, text] = [await answer.locator('.response-col_status').innerText(), await answer.innerText()];
  // As nobody had been there.
  await block.getByRole('button', { name: 'Clear', exact: true }).click();
  await block.getByRole('button', { name: 'Cancel', exact: true }).click();
  await block.locator('.opblock-summary-control').click();
  return { status: status.trim(), text, filled };
}

/** Names of the parameters that nobody has to send, and that hold something all the same. */
const optionalOnesFilled = (block: Locator): Promise<string[]> =>
  block
    .locator('tr[data-param-name]')
    .evaluateAll((rows: { dataset: Record<string, string>; querySelector(selector: string): unknown }[]) =>
      rows.flatMap((row) => {
        const field = row.querySelector('input, select, textarea') as { value: string } | null;
        return row.querySelector('.parameter__name.required') || !field?.value ? [] : [row.dataset['paramName']!];
      }),
    );

interface Given {
  parameters?: Record<string, string>;
  body?: unknown;
}

/** What the examples cannot know: names of what was made a moment ago. */
async function givenTo(operation: string): Promise<Given> {
  // A twin for operators needs what the operation needs.
  const id = operation.replace(/^([a-z]+)Site(?=[A-Z])/, '$1');
  const site = world.demo.site;
  const operate = async (path: string, body: unknown): Promise<string> =>
    (await world.request('POST', `/admin/v1/${path}`, { key: 'operator', body })).body.id as string;
  if (/^(get|plan|verify|start|hold|resume|extend|complete|reject|cancel)DataRequest$/.test(id))
    return { parameters: { id: await newDataRequest(world, id) } };
  switch (id) {
    case 'rotateKey':
    case 'revokeKey':
      return { parameters: { id: await operate(`sites/${site}/keys`, { type: 'pk', env: 'test', name: id }) } };
    case 'revealIdentifiers':
      return {
        parameters: {
          id: (await world.request('POST', '/v1/subjects', { body: { identifiers: [{ kind: 'user_id', value: id }] } }))
            .body.id as string,
        },
      };
    case 'getReceipt':
      return { parameters: { id: (await world.recorded()).body.receiptId as string } };
    case 'getLedgerProof':
      return { parameters: { receipt: await inLedger() } };
    case 'getLedgerConsistency':
    case 'getLedgerTile':
      return inLedger().then(() => ({}));
    case 'getOpenLedgerCheckpoint':
    case 'getOpenLedgerTile':
      await inLedger();
      await world.request('POST', '/admin/v1/sites', { key: 'operator', body: { site, name: site, ledger: 'OPEN' } });
      return { parameters: { site, env: 'test' } };
    case 'getWebhookEndpoint':
    case 'listWebhookDeliveries':
    case 'changeWebhookEndpoint':
    case 'deleteWebhookEndpoint':
    case 'rotateWebhookSecret':
    case 'testWebhookEndpoint':
    case 'replayWebhookEvents':
      return { parameters: { id: await newEndpoint(world) } };
    case 'retryWebhookDelivery':
      return { parameters: { id: await givenUpDelivery(world, await newEndpoint(world)) } };
    case 'rotateSigningKey':
      return noneAnnounced(world).then(() => ({}));
    case 'revokeSigningKey':
      return { parameters: { kid: await announcedKey(world) } };
    case 'rotateOperatorToken':
    case 'revokeOperatorToken':
      return {
        parameters: {
          id: await operate('operator-tokens', { name: id, roles: [{ role: 'VIEWER', site: '*', env: '*' }] }),
        },
      };
    case 'revertMerge':
      return { parameters: { mergeId: await merged() } };
    case 'linkArchive':
      return { parameters: { id: await answeredRequest(world) } };
    case 'archivePage':
      return { parameters: { token: await archiveToken(world) } };
    case 'fetchArchive':
      return { body: { token: await archiveToken(world) } };
    case 'confirmPage':
      return { parameters: { token: await confirmToken() } };
    case 'confirmPreferences':
      return { body: { token: await confirmToken() } };
    case 'enterPortalCode':
      return { body: await mailedCode(world) };
    case 'undoByLink':
      return { body: { token: await undoToken() } };
    case 'unsubscribePage':
      return { parameters: { token: await unsubscribeToken() } };
    case 'unsubscribe':
      return { body: { token: await unsubscribeToken() } };
    default:
      return {};
  }
}

/** A receipt whose record stands in the ledger. */
async function inLedger(): Promise<string> {
  const { receiptId } = (await world.recorded()).body as { receiptId: string };
  const { status } = await world.request('GET', `/v1/ledger/proof?receipt=${receiptId}`);
  if (status !== 200) throw new Error(`the ledger has no leaf for ${receiptId}: ${status}`);
  return receiptId;
}

async function merged(): Promise<string> {
  for (const value of ['of-try-it-1', 'of-try-it-2'])
    await world.request('POST', '/v1/subjects', { body: { identifiers: [{ kind: 'user_id', value }] } });
  const { body } = await world.request('POST', '/v1/subjects/merge', {
    body: { sources: ['user_id:of-try-it-2'], target: 'user_id:of-try-it-1' },
  });
  return (body.merges as { mergeId: string }[] | undefined)?.[0]?.mergeId ?? (body.mergeId as string);
}

const tokenIn = (url: string): string => new URL(url).searchParams.get('token')!;
async function confirmToken(): Promise<string> {
  const values = [{ field: 'news', value: true }];
  const { body } = await world.request('POST', '/v1/preferences/confirmation-token', {
    body: {
      subject: 'email:try-it@demo.example',
      channel: 'email',
      values,
      redirectUrl: 'https://demo.example/thanks',
    },
  });
  return tokenIn(body.confirmUrl as string);
}
async function undoToken(): Promise<string> {
  const { body } = await world.request('POST', '/v1/preferences/confirm', {
    key: null,
    body: { token: await confirmToken() },
  });
  return (body.undo as { token: string }).token;
}
async function unsubscribeToken(): Promise<string> {
  // Whoever can leave is known by something.
  await confirmToken();
  const { body } = await world.request('POST', '/v1/preferences/unsubscribe-link', {
    body: { subject: 'email:try-it@demo.example', channel: 'email' },
  });
  return tokenIn(body.unsubscribeUrl as string);
}

/** In the order of the page. Erasing stands last: the examples speak of one person. */
function operations(): ServedOperation[] {
  const all = Object.values(world.document.paths).flatMap((methods) => Object.values(methods));
  const isErasure = ({ operationId }: ServedOperation): boolean => operationId === 'eraseSubject';
  return [...all.filter((operation) => !isErasure(operation)), ...all.filter(isErasure)];
}

const operation = (id: string): ServedOperation => operations().find(({ operationId }) => operationId === id)!;

test('the whole page lists every operation', async () => {
  const whole = await opened(world.url, true);
  // Of so many it draws what is in sight.
  const seen = new Set<string>();
  await until(async () => {
    for (const id of await whole.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id))) seen.add(id);
    await whole.mouse.wheel(0, 500);
    return seen.size === operations().length;
  });
  await whole.context().close();
});

test('one click at the machine of the demo takes its keys', async () => {
  await page.getByRole('button', { name: 'Use the keys of the demo' }).click();
  await page.getByText('In use: the secret key').waitFor();
  expect((await executed(page, operation('getConsentHistory'))).status).toBe('200');
});

test('operations of the page are executed, with their examples, and succeed', async () => {
  await authorize(page, { operatorToken: world.demo.operatorToken });
  const wrong: unknown[] = [];
  const tried = operations().filter(({ operationId }) => ALL || FEW.includes(operationId));
  expect(tried.length).toBeGreaterThanOrEqual(FEW.length);
  for (const each of tried) {
    const { operationId: id } = each;
    const { status, text, filled } = await executed(page, each, await givenTo(id));
    if (!/^2\d\d$/.test(status) || !each.responses[status] || filled.length > 0)
      wrong.push([id, status, filled, text.slice(0, 600)]);
  }
  expect(wrong).toEqual([]);
  expect(sent.filter(({ url }) => new URL(url).origin !== world.url)).toEqual([]);
}, 600_000);

test('each call has an idempotency key of its own, unless one is filled in', async () => {
  const record = operation('recordConsent');
  const keys = async (given: Given = {}): Promise<string> => {
    sent.length = 0;
    expect((await executed(page, record, given)).status).toBe('201');
    return sent.find(({ method }) => method === 'POST')!.headers['idempotency-key']!;
  };
  const [first, second] = [await keys(), await keys()];
  expect([first, second].every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
  expect(first).not.toBe(second);
  expect(await keys({ parameters: { 'Idempotency-Key': 'by-hand' } })).toBe('by-hand');
});

test('what a browser forbids pages to send is not offered', async () => {
  const block = page.locator('.opblock[id$="-recordConsent"]');
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Try it out' }).waitFor();
  const names = await block
    .locator('tr[data-param-name]')
    .evaluateAll((rows: { dataset: Record<string, string> }[]) => rows.map(({ dataset }) => dataset['paramName']));
  expect(names).toContain('Idempotency-Key');
  expect(names).not.toContain('Sec-GPC');
});

describe('under another name of the machine', () => {
  let elsewhere: Page;
  beforeAll(async () => void (elsewhere = await opened(world.url.replace('127.0.0.1', 'localhost'))));

  test('a public key works by itself', async () => {
    await authorize(elsewhere, { publicKey: world.demo.publicKey });
    expect((await executed(elsewhere, operation('recordConsent'))).status).toBe('201');
  });

  test('a secret key of live is refused', async () => {
    const { body } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'live', name: 'of a page' },
    });
    await authorize(elsewhere, { secretKey: body.key as string });
    // A browser names the origin of what it does not merely read.
    const { status, text } = await executed(elsewhere, operation('createSubject'));
    expect([status, text]).toEqual(['403', expect.stringContaining('origin_not_allowed')]);
  });
});
