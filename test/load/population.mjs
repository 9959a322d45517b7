import { createHash, randomUUID } from 'node:crypto';
import { COMPOSITION } from '../../dist/libs/composition/contexts.js';
import { byteaArray, int8Array, textArray, uuidArray } from '../../dist/libs/engines/database/binary-array.js';
import { Database } from '../../dist/libs/engines/database/database.js';
import { idBytes } from '../../dist/libs/engines/id-bytes.js';
import { RowsSink } from '../../dist/libs/following/sinks/rows-sink.js';
import { newId } from '../../dist/libs/kernel/index.js';
import { UnparsedEvent } from '../../dist/libs/log/unparsed-event.js';
import { MasterKey } from '../../dist/libs/vault/master-key.js';
import { fieldCipher, Vault } from '../../dist/libs/vault/vault.js';

const { codec, readModels, sinks } = COMPOSITION;
const SUBJECT_STREAMS = 'subject-';
/** Written by one statement into each table. */
const AT_ONCE = 500;
const STATEMENT_MS = 600_000;
/** Over how many days before now the people came. The shortest retention of the catalogue is ten days longer. */
const DAYS = 170;
const DAY_MS = 86_400_000;
const LOCK = 'select pg_advisory_xact_lock(4710, 1)';

/** A reference that nobody else has. The same number has the same reference in each run. */
export function referenceOf(number, kind) {
  const value = createHash('sha256').update(`person ${number}`).digest('hex').slice(0, 32);
  return kind === 'email' ? { kind, value: `${value}@bench.example` } : { kind, value };
}
export const textOf = ({ kind, value }) => `${kind}:${value}`;

/*
 * Writes people straight into log, vault, index of keys and read models, as the service would have: subject keys,
 * identifiers and personal fields are sealed with real keys, and what follows the log is made by the service's own sinks.
 * What a person did is copied from examples that the service itself wrote; ids, times, digests of requests and keys are
 * each person's own. Digests of idempotency keys are random bytes, since nobody repeats those requests.
 */
export class Population {
  #database;
  #vault;
  #master;
  #examples = [];

  /** No process may follow or write the log meanwhile. */
  constructor(url, masterKey) {
    const lasting = new URL(url);
    // The fill as a whole is durable by the checkpoint that ends it.
    lasting.searchParams.set('options', '-c synchronous_commit=off');
    this.#database = new Database(lasting.href, { max: 12, budgetMs: STATEMENT_MS, name: 'bench' });
    this.#master = new MasterKey(Buffer.from(masterKey, 'hex'));
    this.#vault = new Vault(this.#database, this.#master, 3 * AT_ONCE);
  }

  close() {
    return this.#database.close();
  }

  /** `share` of all people will be as the subject of this reference is. Of its one identifier each gets an own value. */
  async learn(scope, reference, share) {
    const { subjectId } = await this.#vault.find(scope, reference);
    const cipher = await this.#vault.cipherOf(subjectId);
    const stored = await this.#database.run('select * from log.events where stream = $1 order by revision', [
      `${SUBJECT_STREAMS}${scope.site}.${scope.env}.${subjectId}`,
    ]);
    const atMs = Date.parse(JSON.parse(stored[0].metadata).recordedAt);
    const events = stored.map(({ type, data, metadata }) => {
      const clear = codec.decode({ type, data: JSON.parse(data), metadata: JSON.parse(metadata) }, cipher);
      const toSeal = [];
      const marked = codec.encode(clear, {
        encrypt: (field, value) => `${TO_SEAL}${toSeal.push({ field, value }) - 1}`,
      });
      return {
        type,
        data: compile(JSON.stringify(marked), { atMs, toSeal, own: reference.value }),
        metadata: compile(metadata, { atMs, toSeal }),
      };
    });
    this.#examples.push({ scope, kind: reference.kind, share, events });
  }

  /** How people `number` is referred to. */
  reference(number) {
    return referenceOf(number, this.#exampleOf(number).kind);
  }

  #exampleOf(number) {
    let place = ((number * 37) % 100) / 100;
    return this.#examples.find(({ share }) => (place -= share) < 0) ?? this.#examples[0];
  }

  /** Adds the people from one number up to another, of `total` that there will be. Answers how many events that were. */
  async add(from, to, total, progress) {
    const written = await this.#openSinks();
    const [{ head }] = await this.#database.run('select max(position) as head from log.events');
    const sinceMs = Date.now() - DAYS * DAY_MS;
    let position = head + 1n;
    let writing = Promise.resolve();
    for (let at = from; at < to; at += AT_ONCE) {
      const people = [];
      for (let number = at; number < Math.min(to, at + AT_ONCE); number++) {
        const person = this.#make(number, position, sinceMs + (DAYS * DAY_MS * number) / (total + 1));
        position += BigInt(person.events.length);
        people.push(person);
      }
      const events = people.flatMap((person) => person.events);
      const effects = [];
      for (const sink of written) effects.push(await sink.prepare(events));
      await writing;
      writing = this.#write(people, events, effects, position - 1n);
      // It is awaited one turn later; a rejection meanwhile is not left alone.
      writing.catch(() => undefined);
      progress(Math.min(to, at + AT_ONCE));
    }
    await writing;
    await this.#database.run('update projection.shards set position = $1 where position < $1', [position - 1n]);
    return Number(position - head - 1n);
  }

  async #openSinks() {
    const generations = await this.#database.run(
      'select name, version, rebuild from projection.generations where live',
    );
    const rows = readModels
      .map(({ projection }) => projection)
      .filter(({ streams }) => streams.includes(SUBJECT_STREAMS))
      .map((projection) => {
        const generation = generations.find(({ name }) => name === projection.name);
        return new RowsSink({ database: this.#database, codec, projection, generation });
      });
    const engines = { database: this.#database, vault: this.#vault, codec };
    return [...rows, ...sinks.map((sink) => sink.open(engines))];
  }

  #make(number, position, atMs) {
    const { scope, kind, events } = this.#exampleOf(number);
    const reference = referenceOf(number, kind);
    const whenMs = Math.round(atMs);
    const newcomer = this.#vault.newcomer(scope, reference, whenMs);
    this.#vault.met(newcomer, { created: true });
    const { subjectId, identifierId, key } = newcomer;
    const cipher = fieldCipher(subjectId, key);
    const person = { whenMs, value: reference.value, subjectId, identifierId, cipher, ids: new Map() };
    const stream = `${SUBJECT_STREAMS}${scope.site}.${scope.env}.${subjectId}`;
    const stored = events.map(({ type, data, metadata }, revision) => {
      const at = position + BigInt(revision);
      return new UnparsedEvent(
        stream,
        revision,
        at,
        randomUUID(),
        type,
        filled(data, person),
        filled(metadata, person),
      );
    });
    return { newcomer, events: stored, requests: requestsOf(stored), at: new Date(whenMs) };
  }

  async #write(people, events, effects, through) {
    const newcomers = people.map(({ newcomer }) => newcomer);
    const times = textArray(people.map(({ at }) => at.toISOString()));
    const requests = people.flatMap((person) =>
      person.requests.map((request) => ({ ...request, subjectId: person.newcomer.subjectId, at: person.at })),
    );
    const timeOf = people.flatMap((person) => person.events.map(() => person.at.toISOString()));
    await Promise.all([
      this.#database.transaction(async (tx) => {
        await tx.run(LOCK);
        await tx.run(EVENTS, [
          int8Array(events.map(({ position }) => Number(position))),
          textArray(events.map(({ stream }) => stream)),
          int8Array(events.map(({ revision }) => revision)),
          uuidArray(events.map(({ id }) => id)),
          textArray(events.map(({ type }) => type)),
          textArray(events.map(({ dataText }) => dataText)),
          textArray(events.map(({ metadataText }) => metadataText)),
          textArray(timeOf),
        ]);
      }),
      this.#database.run(KEYS, [
        textArray(newcomers.map(({ subjectId }) => subjectId)),
        byteaArray(newcomers.map(({ wrapped }) => wrapped)),
        this.#master.id,
        times,
      ]),
      this.#database.run(IDENTIFIERS, [
        textArray(newcomers.map(({ scope }) => scope.site)),
        textArray(newcomers.map(({ scope }) => scope.env)),
        byteaArray(newcomers.map(({ digest }) => digest)),
        textArray(newcomers.map(({ subjectId }) => subjectId)),
        textArray(newcomers.map(({ identifierId }) => identifierId)),
        textArray(newcomers.map(({ kind }) => kind)),
        byteaArray(newcomers.map(({ sealed }) => sealed)),
        times,
      ]),
      this.#database.run(REQUESTS, [
        byteaArray(requests.map(({ key }) => Buffer.from(key, 'hex'))),
        byteaArray(requests.map(({ fingerprint }) => Buffer.from(fingerprint, 'hex'))),
        uuidArray(requests.map(() => randomUUID())),
        textArray(requests.map(({ subjectId }) => subjectId)),
        textArray(requests.map(({ at }) => at.toISOString())),
      ]),
      ...effects
        .filter(({ isEmpty }) => !isEmpty)
        .map((effect) => this.#database.transaction((tx) => effect.write(tx, through))),
    ]);
  }
}

const EVENTS = `insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
  select position, stream, revision, id, type, data, metadata, at::timestamptz
  from unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[])
    as e(position, stream, revision, id, type, data, metadata, at)`;
const KEYS = `insert into vault.subject_keys (subject_id, wrapped, master, created_at)
  select subject_id, wrapped, $3::text, at::timestamptz from unnest($1::text[], $2::bytea[], $4::text[]) as k(subject_id, wrapped, at)`;
const IDENTIFIERS = `insert into vault.identifiers (site, env, digest, subject_id, identifier_id, kind, sealed, created_at)
  select site, env, digest, subject_id, identifier_id, kind, sealed, at::timestamptz
  from unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::text[])
    as i(site, env, digest, subject_id, identifier_id, kind, sealed, at)`;
const REQUESTS = `insert into write.idempotency (key, fingerprint, owner, leased_until, subjects, reserved_at)
  select key, fingerprint, owner, at::timestamptz + interval '5 s', array[subject_id], at::timestamptz
  from unnest($1::bytea[], $2::bytea[], $3::uuid[], $4::text[], $5::text[]) as r(key, fingerprint, owner, subject_id, at)`;

/** The requests that an index of keys knows of these events: one row for a batch, one for each single request. */
function requestsOf(events) {
  const found = new Map();
  for (const { metadata } of events) {
    if (metadata.request) found.set(metadata.request.key, metadata.request.fingerprint);
    else if (metadata.idempotencyKey && !metadata.batch) found.set(metadata.idempotencyKey, metadata.fingerprint);
  }
  return [...found].map(([key, fingerprint]) => ({ key, fingerprint }));
}

/** Where an example had a sealed value: its number among those that are sealed for each person anew. */
const TO_SEAL = 'to-seal-';
const ID = /\b(?:sub|idn|rec|req)_[0-9A-HJKMNP-TV-Z]{26}\b/;
const TIME = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/;
const DIGEST = /"[0-9a-f]{64}"/;
const SLOTS = new RegExp(`(${ID.source})|(${TIME.source})|(${DIGEST.source})|${TO_SEAL}(\\d+)`, 'g');

/** JSON as texts and, between them, functions of a person. `own`: the value of the identifier, of which each gets one. */
function compile(json, { atMs, toSeal, own }) {
  const pieces = [];
  let done = 0;
  for (const { 0: text, 1: id, 2: time, 3: digest, 4: sealed, index } of json.matchAll(SLOTS)) {
    const slot = id
      ? ofId(id)
      : time
        ? ofTime(Date.parse(time.slice(1, -1)) - atMs)
        : digest
          ? ({ ids }) => known(ids, digest, () => `"${Buffer.from(idBytes(32)).toString('hex')}"`)
          : ofSealed(toSeal[Number(sealed)], own);
    pieces.push(json.slice(done, index), slot);
    done = index + text.length;
  }
  pieces.push(json.slice(done));
  return pieces;
}

function ofId(id) {
  const prefix = id.slice(0, 3);
  if (prefix === 'sub') return ({ subjectId }) => subjectId;
  if (prefix === 'idn') return ({ identifierId }) => identifierId;
  return ({ ids, whenMs }) => known(ids, id, () => newId(prefix, whenMs, idBytes));
}

const ofTime =
  (laterMs) =>
  ({ whenMs }) =>
    `"${new Date(whenMs + laterMs).toISOString()}"`;

const ofSealed =
  ({ field, value: clear }, own) =>
  ({ cipher, value }) =>
    cipher.encrypt(field, clear === own ? value : clear);

function known(map, key, make) {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}

function filled(pieces, person) {
  let text = '';
  for (const piece of pieces) text += typeof piece === 'string' ? piece : piece(person);
  return text;
}
