import type { DocumentedDeclaration, OperationAccess, SubjectPlace } from '../../libs/context/operations.js';
import { bundleManifest } from '../../libs/http/bundled-files.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { answeredRequest, archiveToken, BODIES, newDataRequest, OF_ONE_REQUEST } from '../support/data-requests.js';
import { TC_STRING } from '../support/framework-strings.js';
import { signIdentityToken } from '../support/identity-token.js';
import { mailedCode } from '../support/portal-codes.js';
import { announcedKey, noneAnnounced } from '../support/signing-keys.js';
import { atTheEnd } from '../support/soon.js';
import { givenUpDelivery, newEndpoint } from '../support/webhook-endpoints.js';
import { startWorld, type Answer, type Ask, type World } from '../support/world.js';
import { until } from '../support/timing.js';

/*
 * Who may do what, tried: every operation of the table, called by everybody, about everybody. What is expected follows
 * from the table alone; an operation that is new needs a sample here, or this file fails.
 */

interface Sample {
  /** Segments of the path; the subject is put in by itself. */
  path?: Record<string, string>;
  /** The subject, where the table says so, is put in by itself. */
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

const site = 'demo';
const TOKEN_BODY = { name: 'of the table', roles: [{ role: 'VIEWER', site: '*', env: '*' }] };
const CONFIRMATION = {
  values: [{ field: 'channels.email.topics.news', value: true }],
  redirectUrl: 'https://demo.example/',
};
const PURPOSE = {
  key: 'analytics',
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'ANALYTICS',
  controller: { name: 'Shop', contact: 'privacy@shop.example' },
  defaultLocale: 'en',
  translations: { en: { name: 'Statistics', description: 'Counts visits.' } },
};
const record = (subject: string): object => ({ subject, purpose: 'analytics', decision: 'GRANTED' });
const identifier = (subject: string): object => ({
  kind: subject.split(':', 1)[0],
  value: subject.slice(subject.indexOf(':') + 1),
});

const purposeHash = async (world: World): Promise<string> =>
  (await world.request('GET', '/v1/purposes/analytics/current')).body.contentHash as string;

/** One call of each operation about a subject that succeeds however often whoever may make it does. */
const SAMPLES: Record<string, (subject: string, world: World) => Sample | Promise<Sample>> = {
  recordConsent: (subject) => ({ body: record(subject) }),
  recordConsentBatch: (subject, world) => ({ body: { records: [record(world.visitor()), record(subject)] } }),
  getConsentState: () => ({}),
  explainConsent: () => ({ query: { purpose: 'analytics' } }),
  getConsentHistory: () => ({}),
  getTimeline: () => ({}),
  getTcString: () => ({}),
  getGoogleConsentMode: () => ({}),
  getAdditionalConsent: () => ({}),
  getGppString: () => ({}),
  explainTcString: () => ({ query: { string: TC_STRING } }),
  explainGppString: () => ({ query: { string: 'DBABBg~BVQUAACA.YA' } }),

  getPreferences: () => ({}),
  getPreferenceHistory: () => ({}),
  setPreferences: (subject) => ({
    body: { subject, values: [{ field: 'channels.email.topics.product_updates', value: true }] },
  }),
  setPreferencesBatch: (subject, world) => ({
    body: { records: [world.visitor(), subject].map((each) => ({ subject: each, globalOptOut: false })) },
  }),
  requestConfirmation: (subject) => ({ body: { subject, ...CONFIRMATION } }),
  createPortalToken: (subject) => ({ body: { subject } }),
  confirmPreferences: async (_, world) => ({
    body: { token: (await linkOf(world, 'confirmation-token', CONFIRMATION)).token },
  }),
  undoByLink: async (_, world) => ({ body: { token: (await confirmed(world)).undo.token } }),
  makeUnsubscribeLink: (subject) => ({ body: { subject, channel: 'email' } }),
  unsubscribe: async (_, world) => ({
    body: { token: (await linkOf(world, 'unsubscribe-link', { channel: 'email' })).token },
  }),
  confirmPage: async (_, world) => ({
    query: {
      token: (
        await linkOf(world, 'confirmation-token', {
          values: [{ field: 'news', value: true }],
          redirectUrl: 'https://demo.example/',
        })
      ).token,
    },
  }),
  unsubscribePage: async (_, world) => ({ query: { token: (await linkOf(world, 'unsubscribe-link')).token } }),

  createSubject: (subject) => ({ body: { identifiers: [identifier(subject)] } }),
  addIdentifier: (subject) => ({ body: identifier(subject) }),
  mergeSubjects: (subject) => ({ body: { sources: [subject], target: OTHER, dryRun: true } }),
  revertMerge: async (_, world) => ({ path: { mergeId: await merged(world) }, body: {} }),
  getSubject: () => ({}),
  listSubjectReads: () => ({}),
  restrictSubject: () => ({ body: { until: '2099-01-01T00:00:00.000Z' } }),
  liftRestriction: () => ({ body: {} }),
  eraseSubject: async (subject, world) => {
    await world.recorded({ subject }, { key: 'sk' });
    return { body: {} };
  },

  lookUpSubject: async (_, world) => {
    await world.recorded({ subject: OTHER }, { key: 'sk' });
    return { path: { site, env: 'test' }, body: identifier(OTHER) };
  },
  listReads: () => ({ path: { site, env: 'test' } }),
  getJournal: () => ({}),
  revealIdentifiers: async (_, world) => ({
    path: { site, env: 'test', id: await subjectOf(world) },
    body: { reason: 'a letter' },
  }),

  listPurposes: () => ({}),
  getPurpose: () => ({ path: { key: 'analytics' } }),
  listPurposeVersions: () => ({ path: { key: 'analytics' } }),
  getPurposeVersion: () => ({ path: { key: 'analytics', n: '1' } }),
  getConsentStatistics: () => ({ query: { purpose: 'analytics' } }),
  listRenewals: () => ({ path: { key: 'analytics' } }),
  getPreferenceTemplate: () => ({}),
  getBanner: () => ({ query: { country: 'DE' } }),
  getBannerManifest: () => ({}),
  getNotice: async (_, world) => ({ path: { hash: await purposeHash(world) } }),
  listCookies: () => ({ query: { purpose: 'analytics' } }),
  getVendorList: () => ({}),

  getPolicy: () => ({ query: { country: 'US', region: 'US-CA' } }),
  getPolicyTable: () => ({}),

  getKeySet: () => ({}),
  getGpcSupport: () => ({}),
  openDataRequest: () => ({ body: { subject: 'user_id:access-table', type: 'COMPLAINT' } }),
  openDataRequests: () => ({ body: { requests: [{ subject: 'user_id:access-table', type: 'APPEAL' }] } }),
  linkArchive: async (_, world) => ({ path: { id: await answeredRequest(world) }, body: {} }),
  archivePage: async (_, world) => ({ query: { token: await archiveToken(world) } }),
  fetchArchive: async (_, world) => ({ body: { token: await archiveToken(world) } }),
  listDataRequests: () => ({}),
  countDataRequests: () => ({}),
  ...Object.fromEntries(
    OF_ONE_REQUEST.map((id) => [
      id,
      async (_: string, world: World) => ({ path: { id: await newDataRequest(world, id) }, body: BODIES[id] }),
    ]),
  ),
  listWebhookEvents: () => ({}),
  listEvents: () => ({ query: { limit: '1' } }),
  listWebhookEndpoints: () => ({}),
  getWebhookEndpoint: async (_, world) => ({ path: { id: await endpoint(world) } }),
  listWebhookDeliveries: async (_, world) => ({ path: { id: await endpoint(world) } }),
  createWebhookEndpoint: () => ({ body: ENDPOINT }),
  changeWebhookEndpoint: async (_, world) => ({ path: { id: await endpoint(world) }, body: { types: ['webhook.*'] } }),
  deleteWebhookEndpoint: async (_, world) => ({ path: { id: await newEndpoint(world) } }),
  rotateWebhookSecret: async (_, world) => ({ path: { id: await endpoint(world) }, body: {} }),
  testWebhookEndpoint: async (_, world) => ({ path: { id: await endpoint(world) } }),
  // One replay at a time runs to an endpoint.
  replayWebhookEvents: async (_, world) => ({ path: { id: await newEndpoint(world) }, body: { fromSequence: 0 } }),
  retryWebhookDelivery: async (_, world) => ({ path: { id: await givenUpDelivery(world, await endpoint(world)) } }),
  getReceipt: async (subject, world) => ({ path: { id: await receiptOf(subject, world) } }),

  getLedgerCheckpoint: () => ({}),
  getLedgerProof: async (subject, world) => ({ query: { receipt: await receiptOf(subject, world) } }),
  getLedgerConsistency: async (_, world) => {
    await inLedger(world);
    return { query: { from: '1', to: '2' } };
  },
  getLedgerTile: async (_, world) => {
    await inLedger(world);
    return { path: { level: '0', tile: '000.p/1' } };
  },
  getOpenLedgerCheckpoint: async (_, world) => {
    await openLedger(world);
    return { path: { site, env: 'test' } };
  },
  getOpenLedgerTile: async (_, world) => {
    await openLedger(world);
    return { path: { site, env: 'test', level: 'entries', tile: '000.p/1' } };
  },

  exportCatalogue: () => ({ path: { site, env: 'test' } }),
  applyCatalogue: () => ({ path: { site, env: 'test' }, body: { purposes: [PURPOSE], dryRun: true } }),
  simulateCatalogue: () => ({ path: { site, env: 'test' }, body: { purposes: [PURPOSE] } }),
  getCatalogueSettings: () => ({ path: { site, env: 'test' } }),
  previewBanner: () => ({ path: { site, env: 'test' }, body: { country: 'DE' } }),
  getCatalogueDraft: () => ({ path: { site, env: 'test' } }),
  saveCatalogueDraft: async (_, world) => ({
    path: { site, env: 'test' },
    headers: await seenDraft(world),
    body: { purposes: [PURPOSE] },
  }),
  discardCatalogueDraft: async (_, world) => ({ path: { site, env: 'test' }, headers: await seenDraft(world) }),
  simulateCatalogueDraft: () => ({ path: { site, env: 'test' }, body: {} }),
  publishCatalogueDraft: async (_, world) => ({
    path: { site: await siteWithDraft(world), env: 'test' },
    headers: { 'If-Match': '"draft-0"' },
  }),
  listCatalogueVersions: () => ({ path: { site, env: 'test' } }),
  compareCatalogueVersions: () => ({ path: { site, env: 'test', n: '1' } }),
  changeCatalogueSettings: () => ({ path: { site, env: 'test' }, body: { approval: 'NONE' } }),
  listSites: () => ({}),
  getHealth: () => ({}),
  getSummary: () => ({}),
  beginOidcSignIn: () => ({}),
  finishOidcSignIn: () => ({}),
  listVerifierKeys: () => ({}),
  getOpenVerifierKeys: () => ({}),
  askAuditBundle: () => ({ path: { site, env: 'test' }, body: { since: '2030-01-01T00:00:00Z' } }),
  listAuditBundles: () => ({ path: { site, env: 'test' } }),
  getAuditBundle: async (_, world) => ({ path: { site, env: 'test', id: await bundle(world) } }),
  downloadAuditBundle: async (_, world) => ({ path: { site, env: 'test', id: await bundle(world) } }),
  registerSite: () => ({ body: { site, name: 'Demo Shop' } }),
  changeOrigins: () => ({ path: { site }, body: { env: 'test', add: ['http://localhost:3000'] } }),
  getBrand: () => ({ path: { site } }),
  changeBrand: () => ({ path: { site }, body: { displayName: { en: 'Demo Shop' } } }),
  listKeys: () => ({ path: { site } }),
  issueKey: () => ({ path: { site }, body: { type: 'pk', env: 'test', name: 'of the table' } }),
  rotateKey: async (_, world) => ({ path: { site, id: (await issued(world)).id }, body: {} }),
  revokeKey: async (_, world) => ({ path: { site, id: (await issued(world)).id }, body: {} }),

  listSigningKeys: () => ({}),
  rotateSigningKey: async (_, world) => {
    await noneAnnounced(world);
    return { body: { env: 'live' } };
  },
  revokeSigningKey: async (_, world) => ({ path: { kid: await announcedKey(world) }, body: {} }),

  listOperatorTokens: () => ({}),
  issueOperatorToken: () => ({ body: TOKEN_BODY }),
  listRoles: () => ({}),
  listOperators: () => ({}),
  changeOperator: async (_, world) => ({ path: { id: await operatorToken(world) }, body: { name: 'renamed' } }),
  endOperator: async (_, world) => ({ path: { id: await operatorToken(world) }, body: {} }),
  listOperatorSessions: () => ({ path: { id: 'opt_first' } }),
  endOperatorSessions: () => ({ path: { id: 'opt_first' } }),
  signIn: () => ({ body: { token: 'none' } }),
  lookAround: () => ({}),
  getSession: () => ({}),
  signOut: () => ({}),
  rotateOperatorToken: async (_, world) => ({ path: { id: await operatorToken(world) }, body: {} }),
  revokeOperatorToken: async (_, world) => ({ path: { id: await operatorToken(world) }, body: {} }),

  getService: () => ({}),
  livez: () => ({}),
  readyz: () => ({}),
  metrics: () => ({}),
  getOpenApi: () => ({}),
  getPostmanCollection: () => ({}),
  getDocs: () => ({}),
  getReference: () => ({}),
  getReferencePage: () => ({ path: { tag: 'consent' } }),
  searchDocs: () => ({ query: { q: 'consent' } }),
  getSearchIndex: () => ({}),
  getBannerPage: () => ({}),
  listErrors: () => ({}),
  getErrorPage: () => ({ path: { code: 'validation_failed' } }),
  getDocsAsset: () => ({ path: { asset: 'pages.css' } }),
  getElementsFile: () => ({ path: { file: 'assent.js' } }),
  getConsole: () => ({}),
  getConsolePreview: () => ({}),
  getConsoleScreen: () => ({ path: { screen: 'system' } }),
  getConsoleFile: () => ({ path: { file: bundleManifest('console')['script']! } }),
  getDemoKeys: () => ({}),
  getFavicon: () => ({}),
  listGuides: () => ({}),
  getGuide: () => ({ path: { guide: 'settings' } }),
  getGuideFile: () => ({ path: { file: 'flow.svg' } }),

  askOnPortal: (subject) => ({ body: { subject, type: 'OPT_OUT_SALE_SHARE' } }),
  enterPortalCode: async (_, world) => ({ body: await mailedCode(world) }),
  showPortalEntry: () => ({}),
  showPortal: () => ({ path: { site, env: 'test' } }),
  showPortalPage: () => ({ path: { site, env: 'test', page: 'consents' } }),
  postPortal: () => ({ path: { site, env: 'test' } }),
  postPortalCode: () => ({ path: { site, env: 'test' } }),
  listOutbox: () => ({}),
  getOutboxMail: async (_, world) => ({ path: { id: await mailed(world) } }),
  getOutboxMailHtml: async (_, world) => ({ path: { id: await mailed(world) } }),
};

const ENDPOINT = { url: 'https://hooks.shop.example/assent', types: ['webhook.test'] };
let known: Promise<string> | undefined;
/** One for all that leave it as it is, or nearly. */
const endpoint = (of: World): Promise<string> => (known ??= newEndpoint(of));

let knownBundle: Promise<string> | undefined;
/** One that is ready, for all that look at it. */
const bundle = (of: World): Promise<string> => (knownBundle ??= newBundle(of));
async function newBundle(of: World): Promise<string> {
  const path = `/admin/v1/sites/${site}/test/audit-bundles`;
  const { body } = await of.request('POST', path, { key: 'operator', body: { since: '2030-01-01T00:00:00Z' } });
  const { id } = body as { id: string };
  await until(async () => (await of.request('GET', `${path}/${id}`, { key: 'operator' })).body.state === 'READY');
  return id;
}

const OWN = 'email:ada@access-table.example';
const OTHER = 'email:grace@access-table.example';
const ANONYMOUS = 'visitor_id:6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90';
const NOBODY = 'email:nobody@access-table.example';

type Standing = 'no key' | 'no good key' | 'expired key' | 'public key' | 'secret key' | 'operator';
interface Caller {
  standing: Standing;
  key: string | null;
  /** Sent as Consent-Identity; `for`, where it is good, is whom it names. */
  token?: { text: string; for?: string; refused?: string };
  /** Of an environment that has none of what the samples speak of: let in is enough. */
  elsewhere?: true;
}

let world: World;
let callers: Record<string, Caller>;

const issued = async (of: World, more: Record<string, unknown> = {}): Promise<{ id: string; key: string }> =>
  (
    await of.request('POST', `/admin/v1/sites/${site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'test', name: 'of the table', ...more },
    })
  ).body as { id: string; key: string };
const seenDraft = async (of: World): Promise<Record<string, string>> => {
  const draft = await of.request('GET', `/admin/v1/sites/${site}/test/catalogue/draft`, { key: 'operator' });
  return { 'If-Match': draft.headers['etag'] as string };
};
let drafted = 0;
/** A site of its own, whose draft waits to be published. */
const siteWithDraft = async (of: World): Promise<string> => {
  const name = `drafted-${++drafted}`;
  const ask = { key: 'operator' };
  await of.request('POST', '/admin/v1/sites', { ...ask, body: { site: name, name } });
  const catalogue = `/admin/v1/sites/${name}/test/catalogue`;
  await of.request('PATCH', `${catalogue}/settings`, { ...ask, body: { owner: 'CONSOLE' } });
  const headers = { 'If-Match': '"published-0"' };
  await of.request('PUT', `${catalogue}/draft`, { ...ask, headers, body: { purposes: [PURPOSE] } });
  return name;
};
/** The id of a token of its own. */
const operatorToken = async (of: World): Promise<string> =>
  (await of.request('POST', '/admin/v1/operator-tokens', { key: 'operator', body: TOKEN_BODY })).body.id as string;
/** The id of a merge of two visitors. */
async function merged(of: World): Promise<string> {
  const [target, source] = [of.visitor(), of.visitor()];
  for (const subject of [target, source]) await of.recorded({ subject });
  return (await of.request('POST', '/v1/subjects/merge', { body: { sources: [source], target } })).body
    .mergeId as string;
}
/** A link about OTHER's News by e-mail. */
const linkOf = async (of: World, kind: string, more: object = {}): Promise<{ token: string }> =>
  (await of.request('POST', `/v1/preferences/${kind}`, { body: { subject: OTHER, channel: 'email', ...more } }))
    .body as { token: string };
/** What confirming OTHER's News answers. */
const confirmed = async (of: World): Promise<{ undo: { token: string } }> => {
  const { token } = await linkOf(of, 'confirmation-token', CONFIRMATION);
  return (await of.request('POST', '/v1/preferences/confirm', { key: null, body: { token } })).body as {
    undo: { token: string };
  };
};
/** The id of a subject with an address. */
const subjectOf = async (of: World): Promise<string> =>
  (
    await of.request('POST', '/v1/subjects', {
      body: { identifiers: [identifier('email:reveal@access-table.example')] },
    })
  ).body.id as string;
/** The receipt of a record about somebody. */
const receiptOf = async (subject: string, of: World): Promise<string> =>
  (await of.recorded({ subject }, { key: 'sk' })).body.receiptId as string;
/** Resolves when the ledger has leaves. */
async function inLedger(of: World): Promise<void> {
  const receipt = await receiptOf(OWN, of);
  const { status } = await of.request('GET', `/v1/ledger/proof?receipt=${receipt}`);
  if (status !== 200) throw new Error(`the ledger has no leaf after ${receipt}: ${status}`);
}
async function openLedger(of: World): Promise<void> {
  await inLedger(of);
  const body = { site, name: 'Demo Shop', ledger: 'OPEN' };
  await of.request('POST', '/admin/v1/sites', { key: 'operator', body });
}
let mail: string | undefined;
/** The number of a mail in the outbox. It is to an address of its own: an erasure takes the mails of that person. */
async function mailed(of: World): Promise<string> {
  const to = 'mailed@access-table.example';
  if (mail === undefined)
    await of.request('POST', '/v1/preferences/confirmation-token', {
      body: { subject: `email:${to}`, to, ...CONFIRMATION },
    });
  return until(async () => {
    const { text } = await of.request('GET', '/outbox', { key: 'operator' });
    const row = text.split('<li>').find((each) => each.includes(to));
    return (mail ??= /"outbox\/(\d+)"/.exec(row ?? '')?.[1]);
  });
}
const revoke = (id: string): Promise<Answer> =>
  world.request('POST', `/admin/v1/sites/${site}/keys/${id}/revoke`, { key: 'operator', body: {} });

beforeAll(async () => {
  world = await startWorld({ own: true });
  const { publicKey, secretKey, operatorToken } = world.demo;
  const [revoked, expired, live, livePage] = [
    await issued(world),
    (await atTheEnd((expiresAt) => issued(world, { expiresAt }))).prepared,
    await issued(world, { env: 'live' }),
    await issued(world, { type: 'pk', env: 'live' }),
  ];
  await revoke(revoked.id);
  const old = Math.floor(Date.now() / 1000) - 1_000;
  const pk = { standing: 'public key', key: publicKey } as const;
  const token = (subject: string, claims = {}, by = secretKey): string =>
    signIdentityToken({ secretKey: by, subject, claims });
  callers = {
    'no key': { standing: 'no key', key: null },
    'a malformed key': { standing: 'no good key', key: 'pk_test_nonsense' },
    'a public key': pk,
    'a public key, a token for OWN': { ...pk, token: { text: token(OWN), for: OWN } },
    'a public key, a token for OTHER': { ...pk, token: { text: token(OTHER), for: OTHER } },
    'a public key, a token without scopes': {
      ...pk,
      token: { text: token(OWN, { scope: [] }), for: OWN, refused: '403 scope_missing' },
    },
    'a public key, an expired token': {
      ...pk,
      token: { text: token(OWN, { iat: old, exp: old + 900 }), refused: '401 identity_token_expired' },
    },
    'a public key, a token by a revoked key': {
      ...pk,
      token: { text: token(OWN, {}, revoked.key), refused: '401 identity_token_invalid' },
    },
    'a public key, a token of another environment': {
      ...pk,
      token: { text: token(OWN, {}, live.key), refused: '401 identity_token_invalid' },
    },
    'a public key, no token at all': { ...pk, token: { text: 'nonsense', refused: '401 identity_token_invalid' } },
    'a secret key': { standing: 'secret key', key: secretKey },
    'a secret key, a bad token': { standing: 'secret key', key: secretKey, token: { text: 'nonsense' } },
    'a revoked secret key': { standing: 'no good key', key: revoked.key },
    'an expired secret key': { standing: 'expired key', key: expired.key },
    'a secret key of another environment': { standing: 'secret key', key: live.key, elsewhere: true },
    'a public key of another environment, a token of this one': {
      standing: 'public key',
      key: livePage.key,
      token: { text: token(OWN), refused: '401 identity_token_invalid' },
    },
    'a public key of another environment, a token of it': {
      standing: 'public key',
      key: livePage.key,
      token: { text: token(OWN, {}, live.key), for: OWN },
      elsewhere: true,
    },
    'the operator': { standing: 'operator', key: operatorToken },
  };
  for (const subject of [OWN, OTHER, ANONYMOUS]) await world.recorded({ subject }, { key: 'sk' });
});
afterAll(() => world?.stop());

/** Whether it may name anybody without a token. */
const isOpen = (subject: SubjectPlace): boolean => 'open' in subject && subject.open === true;

/** What becomes of a call, out of the table alone. */
function promised(
  { id, keys: listed, subject, scope }: OperationAccess,
  { standing, token, elsewhere }: Caller,
  about: string,
): string {
  // Takes forms of its own pages and nothing else, whoever sends it.
  if (['postPortal', 'postPortalCode', 'signIn', 'lookAround'].includes(id)) return '403 origin_not_allowed';
  // Open only to who sits at the machine; through a proxy, as all calls here come, the operator shows the token.
  const keys = id.includes('Outbox') ? (['operator'] as const) : listed;
  const has = (key: OperationAccess['keys'][number]): boolean => (keys as readonly string[]).includes(key);
  if (has('none')) return 'let in';
  if (standing === 'no key') return '401 api_key_missing';
  if (has('operator')) return standing === 'operator' ? 'let in' : '401 api_key_invalid';
  if (standing === 'expired key') return '401 api_key_expired';
  if (standing === 'no good key' || standing === 'operator') return '401 api_key_invalid';
  if (standing === 'secret key') return has('sk') ? 'let in' : '403 public_key_required';
  if (!has('pk')) return '403 secret_key_required';
  if (token?.for === undefined && token?.refused) return token.refused;
  if (subject === null || (about === ANONYMOUS && subject.in !== 'identity')) return 'let in';
  // Without a token it is let in whoever is named, and answered the same: portal-intake.spec.ts tries that.
  if (!token) return isOpen(subject) ? 'let in' : '403 identity_token_required';
  // Whose it is shows only to whom it belongs.
  if (subject.in === 'identity')
    return token.refused ?? (elsewhere || token.for === about ? 'let in' : '404 receipt_not_found');
  if (token.for !== about) return '403 identity_token_subject_mismatch';
  return scope !== null && token.refused ? token.refused : 'let in';
}

/** How an operation is called, with all that has to be there for it. */
async function preparedFor(operation: OperationAccess, about: string): Promise<Sample> {
  const sample = sampleOf(operation);
  if (!sample) throw new Error(`${operation.id} is new in the table: add a sample of how it is called`);
  const made = await sample(about, world);
  return operation.twinOf ? { ...made, path: { site, env: 'test', ...made.path } } : made;
}

/** A twin is called like the operation, under its own path. */
const sampleOf = ({ id, twinOf }: OperationAccess): (typeof SAMPLES)[string] | undefined => SAMPLES[twinOf ?? id];

async function call(
  operation: OperationAccess,
  caller: Caller,
  about: string,
  { path = {}, query = {}, body, headers: own = {} }: Sample,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const place = operation.subject;
  const segments: Record<string, string> = { ...path, ...(place?.in === 'path' && { [place.name]: about }) };
  const search = new URLSearchParams({ ...query, ...(place?.in === 'query' && { [place.name]: about }) }).toString();
  const address =
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(segments[name]!)) +
    (search && `?${search}`);
  const ask: Ask = {
    key: caller.key,
    headers: { ...own, ...headers, ...(caller.token && { 'Consent-Identity': caller.token.text }) },
    ...(body !== undefined && { body }),
  };
  return world.request(operation.method, address, ask);
}

const became = ({ status, body }: Answer, { elsewhere }: Caller): string =>
  status < 400 || (elsewhere && status !== 401 && status !== 403) ? 'let in' : `${status} ${body?.code as string}`;

const table: readonly OperationAccess[] = COMPOSITION.operations.all;
const aboutPeople = table.filter(
  ({ keys, subject }) => subject !== null && subject.in !== 'identity' && !isOpen(subject) && keys.includes('pk'),
);

test('every operation of the table can be called here', () =>
  expect(table.filter((operation) => !sampleOf(operation)).map(({ id }) => id)).toEqual([]));

describe('a position that is none', () => {
  const [READ, ASKED_BY] = [
    table.filter(({ method }) => method === 'GET'),
    [
      ['sk', 'a secret key'],
      ['operator', 'the operator'],
      ['pk', 'a public key'],
      ['none', 'no key'],
    ] as const,
  ];
  test.each(READ.map((operation) => [operation.id, operation] as const))(
    'is refused by %s where it says that it reads one, and is nothing to it where not',
    async (_, operation) => {
      const caller = callers[ASKED_BY.find(([key]) => operation.keys.includes(key))![1]]!;
      const sample = await preparedFor(operation, ANONYMOUS);
      // That the answer is one that /openapi.json names is looked at with every answer.
      const answer = await call(operation, caller, ANONYMOUS, sample, { 'X-Log-Position': 'latest' });
      const names =
        (operation as DocumentedDeclaration).headers?.some(({ name }) => name === 'X-Log-Position') === true;
      const isRefused = answer.status === 422 && answer.body?.issues?.[0]?.path === 'X-Log-Position';
      expect([operation.id, isRefused]).toEqual([operation.id, names]);
    },
  );
});

/** Without an identity provider there is no such path: operator-oidc.spec.ts has one. */
const NOT_SET_UP = ['beginOidcSignIn', 'finishOidcSignIn'];

describe('every operation, whoever calls, whoever it is about', () => {
  it.each(table.filter(({ id }) => !NOT_SET_UP.includes(id)).map((operation) => [operation.id, operation] as const))(
    '%s',
    async (_, operation) => {
      for (const about of operation.subject ? [OWN, OTHER, ANONYMOUS] : [OWN]) {
        let sample: Sample | null = null;
        for (const [who, caller] of Object.entries(callers)) {
          sample ??= await preparedFor(operation, about);
          const answer = await call(operation, caller, about, sample);
          const wanted = promised(operation, caller, about);
          expect([who, about, became(answer, caller)]).toEqual([who, about, wanted]);
          if (caller.standing === 'operator' && operation.keys.includes('operator') && !operation.reveals)
            for (const person of [OWN, OTHER])
              expect([
                operation.id,
                answer.body && answer.text.includes(person.slice(person.indexOf(':') + 1)),
              ]).not.toEqual([operation.id, true]);
          // Whoever was refused has used nothing of it up.
          if (wanted === 'let in') sample = null;
          if (answer.status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
        }
      }
    },
  );
});

describe('a public key learns nothing of whether somebody exists', () => {
  // Erasing was tried on them.
  beforeAll(async () => {
    for (const subject of [OWN, OTHER]) await world.recorded({ subject }, { key: 'sk' });
  });
  /** Measurements of each of two; their medians are compared. */
  const TIMED = 40;
  const noToken = (): Caller => callers['a public key']!;
  /** For somebody else than is asked about. */
  const otherToken = (): Caller => ({
    ...noToken(),
    token: {
      text: signIdentityToken({
        secretKey: world.demo.secretKey,
        site: world.demo.site,
        subject: 'email:eve@access-table.example',
      }),
    },
  });

  it.each(aboutPeople.map((operation) => [operation.id, operation] as const))(
    'by what %s answers: the same bytes',
    async (_, operation) => {
      for (const caller of [noToken(), otherToken()]) {
        const answers: Answer[] = [];
        for (const about of [OWN, OTHER, NOBODY, 'user_id:0', 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S'])
          answers.push(
            await call(operation, caller, about, await preparedFor(operation, about), { 'X-Request-Id': 'the-same' }),
          );
        const told = answers.map(({ status, headers, text }) => {
          return JSON.stringify([status, { ...headers, date: '', ratelimit: '' }, text]);
        });
        expect([operation.id, new Set(told).size, answers[0]!.status]).toEqual([operation.id, 1, 403]);
      }
    },
  );

  it.each(aboutPeople.map((operation) => [operation.id, operation] as const))(
    'by how long %s takes',
    async (_, operation) => {
      for (const caller of [noToken(), otherToken()]) {
        const took: Record<string, number[]> = { [OWN]: [], [NOBODY]: [] };
        // All are refused, so one serves for all.
        const samples = new Map<string, Sample>();
        for (const about of [OWN, NOBODY]) samples.set(about, await preparedFor(operation, about));
        for (let i = 0; i < TIMED; i++) {
          for (const about of i % 2 ? [OWN, NOBODY] : [NOBODY, OWN]) {
            const from = performance.now();
            await call(operation, caller, about, samples.get(about)!);
            took[about]!.push(performance.now() - from);
          }
        }
        const [known, unknown] = [median(took[OWN]!), median(took[NOBODY]!)];
        // A look-up in a store would cost more than this: milliseconds for the one and nothing for the other.
        expect(Math.abs(known - unknown)).toBeLessThan(1 + Math.max(known, unknown) / 2);
      }
    },
  );
});

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

describe('a write that an identity token vouched for', () => {
  it('keeps which key signed the token and when, and nothing of the token', async () => {
    const now = Math.floor(Date.now() / 1000) - 5;
    const text = signIdentityToken({
      secretKey: world.demo.secretKey,
      subject: 'email:Lin@access-table.example',
      claims: { iat: now, exp: now + 900, jti: 'canary-of-jti' },
    });
    const subject = 'email:lin@access-table.example';
    const visitor = world.visitor();
    const ask: Ask = { key: 'pk', headers: { 'Consent-Identity': text } };
    await world.recorded({ subject }, ask);
    await world.request('POST', '/v1/consent/batch', { ...ask, body: { records: [record(subject), record(visitor)] } });
    const provenances = async (of: string): Promise<Record<string, unknown>[]> =>
      (
        (await world.request('GET', `/v1/subjects/${encodeURIComponent(of)}/consent/history`)).body.data as {
          provenance: Record<string, unknown>;
        }[]
      ).map(({ provenance }) => provenance);
    const identity = {
      keyId: `key_${world.demo.secretKey.slice(8, 20)}`,
      issuedAt: new Date(now * 1000).toISOString(),
    };
    expect((await provenances(subject)).map((one) => one['identity'])).toEqual([identity, identity]);
    // It vouches for a person, not for the visitor who is free anyway.
    expect((await provenances(visitor)).map((one) => one['identity'])).toEqual([undefined]);
    expect(world.output()).not.toContain('canary-of-jti');
  });
});
