import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { CONNECTIONS } from './window.mjs';

const SUBJECTS = 1_000;
const BATCH = 100;
/** How often a batch of the preparation is repeated while the log is too busy. */
const PREPARED_TRIES = 30;
/** As many as write to the log itself in the case that batches are compared with. */
const BATCH_CONNECTIONS = 8;

/** What raw node:http did in the run in which the others did what is named here, on one machine. */
const RAW_PER_SECOND = 62_276;
/** What the indexed c15t did on the same Postgres, as a ratio to raw node:http in the same run. */
const PEER = { get: 919 / RAW_PER_SECOND, post: 428 / RAW_PER_SECOND };
/** So many a second are promised where the caller has the string already. */
const TC_STRINGS_NOT_MODIFIED = 10_000;

/** What one core is to derive and sign, and how often it signed alone on the machine where that was decided. */
const RECEIPTS_PER_SECOND = 5_000;
const SIGNATURES_PER_SECOND = 21_293;

const visitor = () => `visitor_id:${randomBytes(16).toString('hex')}`;
const pathOf = (subject) => `/v1/subjects/${encodeURIComponent(subject)}/consent`;
/** Every connection its own part of a list. */
const partOf = (list, connection) =>
  list.filter((_, i) => i % CONNECTIONS === connection % Math.min(CONNECTIONS, list.length));

/** A decision as a banner sends it. */
export const decision = (subject, n) => ({
  subject,
  purpose: n % 2 === 0 ? 'analytics' : 'marketing',
  decision: n % 5 === 4 ? 'DENIED' : 'GRANTED',
  jurisdiction: { country: 'DE', source: 'DETECTED' },
  collection: {
    method: 'SAVE_CHOICES',
    surface: 'BANNER',
    url: 'https://shop.example/checkout',
    locale: 'de',
    bannerVersion: 3,
  },
});

/**
 * Makes the subjects that are read and those that come back, and what each case sends. Subjects that are read are not
 * written meanwhile: their ETags stay.
 */
export async function prepareRequests({ url, keys }) {
  const bearer = (key) => ({ Authorization: `Bearer ${key}` });
  const json = { ...bearer(keys.sk), 'Content-Type': 'application/json' };
  const read = Array.from({ length: SUBJECTS }, visitor);
  const known = Array.from({ length: SUBJECTS }, visitor);
  const all = [...read, ...known];
  for (let at = 0; at < all.length; at += BATCH) {
    const records = all.slice(at, at + BATCH).flatMap((subject) => [decision(subject, 0), decision(subject, 1)]);
    const request = {
      method: 'POST',
      headers: { ...json, 'Idempotency-Key': randomUUID() },
      body: JSON.stringify({ records }),
    };
    let answer = await fetch(`${url}/v1/consent/batch`, request);
    // A log that cannot take so much at a time refuses; what was stored counts once.
    for (let again = 0; answer.status === 503 && again < PREPARED_TRIES; again++) {
      await pause(1000);
      answer = await fetch(`${url}/v1/consent/batch`, request);
    }
    if (!answer.ok) throw new Error(`POST /v1/consent/batch: ${answer.status} ${await answer.text()}`);
  }
  const tags = [];
  for (const subject of read)
    tags.push((await fetch(url + pathOf(subject), { headers: bearer(keys.pk) })).headers.get('etag'));

  const gets = (query = '') =>
    read.map((subject) => ({ method: 'GET', path: pathOf(subject) + query, headers: bearer(keys.pk) }));
  const conditional = gets().map((request, i) => ({
    ...request,
    headers: { ...request.headers, 'If-None-Match': tags[i] },
  }));
  let next = 0;
  const returning = () => known[next++ % SUBJECTS];
  /** Half of the visitors are new. */
  const someone = () => (next++ % 2 === 0 ? visitor() : known[next % SUBJECTS]);
  const posting = (path, body, withKey) => () => [
    {
      method: 'POST',
      path,
      setupRequest: (request) => ({
        ...request,
        headers: withKey ? { ...json, 'Idempotency-Key': randomUUID() } : json,
        body: JSON.stringify(body()),
      }),
    },
  ];
  const save = () => {
    const subject = visitor();
    return {
      records: ['analytics', 'marketing', 'sale_of_data'].map((purpose, n) => ({ ...decision(subject, n), purpose })),
    };
  };
  const batchOf = (who) => () => ({ records: Array.from({ length: BATCH }, (_, n) => decision(who(), n)) });
  const batch = batchOf(someone);
  const oneOf = (who) => () => decision(who(), next);
  const one = oneOf(someone);
  // A batch is answered 200 also where none of its records could be taken.
  for (const body of [save(), batch()]) {
    const answer = await fetch(`${url}/v1/consent/batch`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    });
    const { summary } = await answer.json();
    if (summary.recorded !== body.records.length)
      throw new Error(`Of ${body.records.length} records ${summary.recorded} were recorded.`);
  }
  /** The same question of everybody, in full and by its tag. */
  const asked = async (path) => {
    const request = { method: 'GET', path, headers: bearer(keys.pk) };
    const answer = await fetch(url + path, request);
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    const headers = { ...request.headers, 'If-None-Match': answer.headers.get('etag') };
    return { whole: () => [request], tag: () => [{ ...request, headers }] };
  };
  const policy = await asked('/v1/policy?country=US&region=US-CA');
  const banner = await asked('/v1/banner?country=DE&locale=de');
  const cookies = await asked('/v1/cookies?locale=de');
  const tcString = await asked(`/v1/consent/tcstring?subject=${encodeURIComponent(read[0])}&country=DE`);
  return {
    tcStringTag: tcString.tag,
    policy: policy.whole,
    policyTag: policy.tag,
    banner: banner.whole,
    bannerTag: banner.tag,
    cookies: cookies.whole,
    cookiesTag: cookies.tag,
    oneTag: () => [conditional[0]],
    tags: (connection) => partOf(conditional, connection),
    rows: (connection) => partOf(gets(), connection),
    folds: (connection) => partOf(gets('?fresh=true'), connection),
    record: posting('/v1/consent', one, true),
    recordWithoutKey: posting('/v1/consent', one, false),
    recordKnown: posting('/v1/consent', oneOf(returning), true),
    recordNew: posting('/v1/consent', oneOf(visitor), true),
    save: posting('/v1/consent/batch', save, true),
    batch: posting('/v1/consent/batch', batch, true),
    batchNew: posting('/v1/consent/batch', batchOf(visitor), true),
  };
}

/** Writes a file of the decisions of so many people whom the service has never met, as `assent import` reads it. */
export function writeImport(file, rows) {
  const row = (_, n) => `${visitor()},${n % 2 === 0 ? 'analytics' : 'marketing'},GRANTED,2026-01-01T00:00:00Z`;
  writeFileSync(file, ['subject,purpose,decision,given_at', ...Array.from({ length: rows }, row), ''].join('\n'));
}

/**
 * Rates. Each is measured in windows that alternate with windows of raw node:http, and its result is a ratio to them,
 * or to another case of the same round where `against` names one: of what is done in a second, or of the processor time
 * (service and Postgres) that one of it takes. Cases of the server "log" run inside a process of
 * ours, without HTTP; with `rows`, a window is an import of so many.
 */
export const RATES = [
  { name: 'raw', title: 'raw node:http', server: 'raw', statuses: [200] },
  { name: 'nest', title: 'bare Nest route, ExpressAdapter', server: 'nest', statuses: [200] },
  { name: 'nest-fast', title: 'bare Nest route, FastExpressAdapter', server: 'nest-fast', statuses: [200] },
  {
    name: 'not-modified',
    title: '304, one subject',
    server: 'assent',
    requests: 'oneTag',
    statuses: [304],
    floor: { least: 0.25 },
  },
  {
    name: 'not-modified-many',
    title: '304, 1,000 subjects',
    server: 'assent',
    requests: 'tags',
    statuses: [304],
    floor: { least: 0.25 },
  },
  {
    name: 'policy',
    title: 'policy of a place',
    server: 'assent',
    requests: 'policy',
    statuses: [200],
    against: 'nest-fast',
    floor: { least: 0.5 },
  },
  {
    name: 'policy-not-modified',
    title: '304, policy of a place',
    server: 'assent',
    requests: 'policyTag',
    statuses: [304],
    against: 'nest-fast',
    floor: { least: 0.5 },
  },
  {
    name: 'banner',
    title: 'banner of a place',
    server: 'assent',
    requests: 'banner',
    statuses: [200],
    against: 'nest-fast',
    floor: { least: 0.5 },
  },
  {
    name: 'banner-not-modified',
    title: '304, banner of a place',
    server: 'assent',
    requests: 'bannerTag',
    statuses: [304],
    against: 'nest-fast',
    floor: { least: 0.5 },
  },
  {
    name: 'cookies',
    title: 'list of cookies',
    server: 'assent',
    requests: 'cookies',
    statuses: [200],
    against: 'nest-fast',
    floor: { least: 0.5 },
  },
  {
    name: 'cookies-not-modified',
    title: '304, list of cookies',
    server: 'assent',
    requests: 'cookiesTag',
    statuses: [304],
    against: 'nest-fast',
    floor: { least: 0.5 },
  },
  {
    name: 'tc-string-not-modified',
    title: '304, TC string of a subject',
    server: 'assent',
    requests: 'tcStringTag',
    statuses: [304],
    floor: { least: TC_STRINGS_NOT_MODIFIED / RAW_PER_SECOND },
  },
  {
    name: 'row',
    title: 'state from a row',
    server: 'assent',
    requests: 'rows',
    statuses: [200],
    floor: { least: 5 * PEER.get },
  },
  { name: 'fold', title: 'fresh state, folded', server: 'assent', requests: 'folds', statuses: [200] },
  {
    name: 'record',
    title: 'recorded consent, idempotent',
    server: 'assent',
    requests: 'record',
    statuses: [201],
    floor: { least: 3 * PEER.post },
  },
  {
    name: 'record-without-key',
    title: 'recorded consent, no key',
    server: 'assent',
    requests: 'recordWithoutKey',
    statuses: [201],
  },
  {
    name: 'record-known',
    title: 'recorded consent of a known person',
    server: 'assent',
    requests: 'recordKnown',
    statuses: [201],
  },
  {
    name: 'record-new',
    title: 'recorded consent of a new person',
    server: 'assent',
    requests: 'recordNew',
    statuses: [201],
  },
  {
    name: 'save',
    title: 'save of three choices, new visitor',
    server: 'assent',
    requests: 'save',
    statuses: [200],
    each: 3,
    unit: 'records',
    floor: { least: 0.025 },
  },
  {
    name: 'batch',
    title: `batch of ${BATCH} records, ${BATCH_CONNECTIONS} at once`,
    server: 'assent',
    requests: 'batch',
    connections: BATCH_CONNECTIONS,
    statuses: [200],
    each: BATCH,
    unit: 'records',
    against: 'append-batch',
    floor: { least: 0.3 },
  },
  {
    name: 'batch-new',
    title: `batch of ${BATCH} new people, ${BATCH_CONNECTIONS} at once`,
    server: 'assent',
    requests: 'batchNew',
    connections: BATCH_CONNECTIONS,
    statuses: [200],
    each: BATCH,
    unit: 'records',
    against: 'append-batch',
  },
  {
    name: 'import',
    title: 'import of a file of new people',
    server: 'assent',
    rows: 5_000,
    unit: 'records',
    against: 'append-batch',
  },
  { name: 'signature', title: 'bare Ed25519 signature, one core', server: 'receipts', unit: 'signatures' },
  {
    name: 'receipt',
    title: 'receipt derived and signed, one core',
    server: 'receipts',
    unit: 'receipts',
    against: 'signature',
    floor: { least: RECEIPTS_PER_SECOND / SIGNATURES_PER_SECOND },
  },
  { name: 'append-batch', title: 'log: appends of 100, 8 at once', server: 'log', unit: 'events' },
  { name: 'append', title: 'log: single appends, 64 at once', server: 'log', unit: 'events' },
  { name: 'catch-up', title: 'log: catch-up read', server: 'log', unit: 'events' },
  { name: 'rebuild', title: 'rebuild of consent_state', server: 'log', unit: 'events', floor: { least: 0.9 } },
  {
    name: 'rebuild-four',
    title: 'rebuild in four shards, processor time',
    server: 'log',
    unit: 'events',
    against: 'rebuild',
    compares: 'processor time',
    floor: { most: 1.15 },
  },
  {
    name: 'roles-not-modified',
    title: 'four roles: 304, 1,000 subjects',
    server: 'roles',
    role: 'read-api',
    requests: 'tags',
    statuses: [304],
  },
  {
    name: 'roles-row',
    title: 'four roles: state from a row',
    server: 'roles',
    role: 'read-api',
    requests: 'rows',
    statuses: [200],
  },
  {
    name: 'roles-record',
    title: 'four roles: recorded consent',
    server: 'roles',
    role: 'write-api',
    requests: 'record',
    statuses: [201],
  },
];

/** Most of the work of a day: pages asking, some of them answering, a server importing. */
export const mixed = (requests) => (connection) => {
  if (connection < 32) return requests.tags(connection);
  if (connection < 44) return requests.rows(connection);
  if (connection < 48) return requests.folds(connection);
  return connection < 63 ? requests.record(connection) : requests.batch(connection);
};
