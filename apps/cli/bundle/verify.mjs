#!/usr/bin/env node
// Checks an audit bundle of Assent: that nothing in it was changed since the service signed it, and that records, receipts
// and texts agree. Needs Node.js 20 or newer and nothing else; opens no connection.
//
//   node verify.mjs [archive.zip | folder] [--keys jwks.json] [--json]
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createInflateRaw } from 'node:zlib';

const FORMAT = 'urn:assent:audit-bundle:1';
const MANIFEST = ['manifest.json', 'manifest.jws'];
/** Order of the base point of Ed25519 (RFC 8032): a signature whose S is not below it can be made from another one. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

// ---- Where the files are ------------------------------------------------------------------------------------------------

/** `{ names, read }`; `read` answers a stream of bytes. */
async function filesOf(path) {
  return statSync(path).isDirectory() ? filesOfFolder(path) : filesOfArchive(path);
}

async function filesOfFolder(folder) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = found
    .filter((each) => each.isFile())
    .map((each) =>
      join(each.parentPath ?? each.path, each.name)
        .slice(join(folder, sep).length)
        .split(sep)
        .join('/'),
    )
    // The archive itself may lie beside what was unpacked from it, and the keys that it is compared with.
    .filter((name) => !name.endsWith('.zip') && name !== 'jwks.json');
  return { names, read: (name) => createReadStream(join(folder, name)) };
}

/** Zip (APPNOTE 6.3), 64-bit sizes included: the directory at the end says where each file begins. */
async function filesOfArchive(path) {
  const file = await open(path);
  const bytes = async (from, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    if (bytesRead < length) throw new Error('the archive ends too early');
    return buffer;
  };
  const { size } = await file.stat();
  const tailLength = Math.min(size, 22 + 65_535);
  const tail = await bytes(size - tailLength, tailLength);
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('this is no zip archive');
  let count = tail.readUInt16LE(end + 10);
  let [length, from] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  const locator = end - 20;
  if (locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50) {
    const record = await bytes(Number(tail.readBigUInt64LE(locator + 8)), 56);
    count = Number(record.readBigUInt64LE(32));
    [length, from] = [Number(record.readBigUInt64LE(40)), Number(record.readBigUInt64LE(48))];
  }
  const directory = await bytes(from, length);
  const entries = new Map();
  for (let at = 0, n = 0; n < count; n++) {
    if (directory.readUInt32LE(at) !== 0x02014b50) throw new Error('the directory of the archive is damaged');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset));
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    const entry = {
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      unpacked: directory.readUInt32LE(at + 24),
      header: directory.readUInt32LE(at + 42),
    };
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    for (let e = 0; e + 4 <= extra.length; e += 4 + extra.readUInt16LE(e + 2)) {
      if (extra.readUInt16LE(e) !== 1) continue;
      let field = e + 4;
      for (const member of ['unpacked', 'packed', 'header'])
        if (entry[member] === 0xffffffff) entry[member] = Number(extra.readBigUInt64LE((field += 8) - 8));
    }
    if (entries.has(name)) throw new Error(`the archive holds two files with the name ${name}`);
    entries.set(name, entry);
    at += 46 + nameLength + extraLength + commentLength;
  }
  const starts = new Map();
  for (const [name, { header }] of entries) {
    const local = await bytes(header, 30);
    starts.set(name, header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28));
  }
  await file.close();
  const read = (name) => {
    const { method, packed } = entries.get(name);
    const start = starts.get(name);
    if (packed === 0) return Readable.from([]);
    const stored = createReadStream(path, { start, end: start + packed - 1 });
    if (method === 0) return stored;
    if (method !== 8) throw new Error(`${name} is packed in an unknown way`);
    const inflate = createInflateRaw();
    stored.on('error', (error) => inflate.destroy(error));
    return stored.pipe(inflate);
  };
  return { names: [...entries.keys()].filter((name) => !name.endsWith('/')), read };
}

async function textOf(files, name) {
  const chunks = [];
  for await (const chunk of files.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** One parsed line after the other, with its number. */
async function* linesOf(files, name) {
  let number = 0;
  for await (const line of createInterface({ input: files.read(name), crlfDelay: Infinity }))
    yield { number: ++number, value: JSON.parse(line) };
}

// ---- What is signed -----------------------------------------------------------------------------------------------------

/** RFC 8785: the one text of a JSON value. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

const equal = (a, b) => canonical(a ?? null) === canonical(b ?? null);
const sha256 = (content) => createHash('sha256').update(content).digest('hex');
const base64url = (content) => Buffer.from(content).toString('base64url');

/** RFC 7638. */
const thumbprint = ({ crv, kty, x }) => createHash('sha256').update(canonical({ crv, kty, x })).digest('base64url');

/** Whether S is below L. */
const isCanonical = (signature) => BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) < L;

/** Says what is wrong with a compact JWS (RFC 7515) as one of this type; `{ key, payload }` where nothing is. */
function opened(jws, type, keys) {
  const parts = jws.split('.');
  if (parts.length !== 3) return { wrong: 'it is no compact JWS' };
  const [header, payload, signature] = parts;
  const key = keys.find(({ kid }) => header === base64url(canonical({ alg: 'EdDSA', kid, typ: type })));
  if (!key) return { wrong: 'its header names no key of keys.json, or is not that of such a signature' };
  const [content, signed] = [payload, signature].map((part) => Buffer.from(part, 'base64url'));
  if (base64url(content) !== payload || base64url(signed) !== signature)
    return { wrong: 'it is not written as it was signed' };
  if (signed.length !== 64) return { wrong: 'its signature has not 64 bytes' };
  if (!isCanonical(signed)) return { wrong: 'its signature was made from another one (S is not below L)' };
  const { crv, kty, x } = key;
  const publicKey = createPublicKey({ key: { crv, kty, x }, format: 'jwk' });
  if (!verify(null, Buffer.from(`${header}.${payload}`), publicKey, signed))
    return { wrong: 'its signature does not verify' };
  return { key, payload: content.toString('utf8') };
}

/** The key that signs what is recorded at a moment: of those whose time has come the one whose time came last. */
function keyInForce(keys, at) {
  const began = keys.filter(
    ({ signsFrom, revokedAt }) =>
      (signsFrom === null || signsFrom <= at) && !(revokedAt !== null && revokedAt <= (signsFrom ?? '')),
  );
  return began.reduce((newest, key) => ((key.signsFrom ?? '') >= (newest?.signsFrom ?? '') ? key : newest), null);
}

// ---- The ledger ---------------------------------------------------------------------------------------------------------

const digest = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
/** RFC 9162 section 2.1.1. */
const nodeHash = (left, right) => digest(Buffer.of(1), left, right);

/** The root that a leaf and its proof lead to (RFC 9162 section 2.1.3.2); null where the proof is not one for that place. */
function rootBy(index, size, leaf, hashes) {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) return null;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const each of hashes) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(each, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    } else {
      hash = nodeHash(hash, each);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : null;
}

/** A checkpoint in a signed note (C2SP tlog-checkpoint), signed by this key under the name of its origin; null where it is not. */
function checkpointBy(note, { x }) {
  const end = note.indexOf('\n\n');
  const [origin, size, root, ...more] = note.slice(0, end).split('\n');
  const [, name, signature] = /^— (\S+) ([A-Za-z0-9+/]+={0,2})\n$/.exec(note.slice(end + 2)) ?? [];
  if (end < 0 || more.length > 0 || name !== origin || !/^(0|[1-9]\d{0,15})$/.test(size)) return null;
  const publicKey = Buffer.from(x, 'base64url');
  const bytes = Buffer.from(signature, 'base64');
  const id = digest(Buffer.from(`${name}\n`), Buffer.of(1), publicKey).subarray(0, 4);
  if (bytes.toString('base64') !== signature || bytes.length !== 68 || !bytes.subarray(0, 4).equals(id)) return null;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (!isCanonical(bytes.subarray(4)) || !verify(null, Buffer.from(note.slice(0, end + 1)), key, bytes.subarray(4)))
    return null;
  return { origin, size: Number(size), root };
}

/** Whether a line says all that the ledger's record says. What is sealed there cannot be compared without the person's key. */
function says(line, record) {
  if (record !== null && typeof record === 'object') {
    if ('$sealed' in record) return true;
    if (line === null || typeof line !== 'object') return false;
    return Object.keys(record).every((name) => says(line[name], record[name]));
  }
  return line === record;
}

// ---- What a receipt says of a record ------------------------------------------------------------------------------------

const rulesOfReceipts = {
  ConsentRecorded: (data) => [
    ['event.type', 'consent'],
    ['record', data.recordId],
    ['event.at', data.givenAt],
    ['event.recordedAt', data.recordedAt],
    ['event.validUntil', data.expiresAt],
    ['event.method', data.collection?.method],
    ['event.surface', data.collection?.surface],
    ['event.source', data.source],
    ['event.actor', data.actor.type],
    ['purposes.length', 1],
    ['purposes.0.key', data.purpose],
    ['purposes.0.version', data.purposeVersion],
    ['purposes.0.decision', data.decision],
    ['purposes.0.previousState', data.previousState],
    ['purposes.0.state', data.state],
    ['purposes.0.applied', data.appliedToState],
    ['jurisdiction.country', data.jurisdiction?.country],
    ['jurisdiction.region', data.jurisdiction?.region],
    ['notice.hash', data.notice.contentHash],
    ['notice.language', data.notice.locale],
    ['gpc', data.signals?.gpc],
    ['vendors', data.vendors ?? []],
    ['evidence', (data.evidence ?? []).map((each) => each.sha256)],
  ],
  PreferenceSet: (data) => {
    const changes = data.changes.map((each) => [each.field, each.previousState, each.state, each.appliedToState]);
    const all = data.globalOptOut;
    if (all) changes.push(['globalOptOut', all.previousState, all.state, all.appliedToState]);
    return [
      ['event.type', 'preference'],
      ['record', data.recordId],
      ['event.at', data.givenAt],
      ['event.recordedAt', data.recordedAt],
      ['event.method', data.collection?.method],
      ['event.surface', data.collection?.surface],
      ['event.source', data.source],
      ['event.actor', data.actor.type],
      ['notice.hash', data.template.contentHash],
      ['notice.language', data.template.locale],
      ...preferencesAre(changes),
    ];
  },
  PreferenceConfirmed: (data) => [
    ['event.type', 'confirmation'],
    ['record', data.recordId],
    ['event.at', data.confirmedAt],
    ['event.surface', data.via],
    ...preferencesAre(data.fields.map(({ field, previousState }) => [field, previousState, 'GRANTED', true])),
  ],
  SubjectErased: (data) => [
    ['event.type', 'erasure'],
    ['id', data.receiptId],
    ['event.at', data.erasedAt],
    ['event.reason', data.reason],
    ['issuer', data.issuer],
    ['erased.subjects', [...new Set([data.rootId, ...data.erasedTogether])].sort()],
  ],
};

const preferencesAre = (changes) => [
  ['preferences.length', changes.length],
  ...changes.flatMap(([field, previousState, state, applied], i) => [
    [`preferences.${i}.field`, field],
    [`preferences.${i}.previousState`, previousState],
    [`preferences.${i}.state`, state],
    [`preferences.${i}.applied`, applied],
  ]),
];

/** Of subjects that were erased together, one receipt stands for all. */
const hasReceipt = ({ type, data, subjectId, leftOut }) =>
  !leftOut && type in rulesOfReceipts && (type !== 'SubjectErased' || data.rootId === subjectId);

const recordedAt = ({ type, data }) =>
  type === 'PreferenceConfirmed' ? data.confirmedAt : type === 'SubjectErased' ? data.erasedAt : data.recordedAt;

const at = (value, path) => path.split('.').reduce((inner, name) => inner?.[name], value);

/** Where a receipt says something else than its record. */
function differences(record, receipt) {
  const { type, data, site, env, subjectId } = record;
  const expected = [
    ['site', site],
    ['environment', env],
    ['subject.id', subjectId],
    ...(type === 'SubjectErased' ? [] : [['id', `rct_${String(data.recordId).slice(4)}`]]),
    ...rulesOfReceipts[type](data),
  ];
  return expected.filter(([path, value]) => !equal(at(receipt, path), value)).map(([path]) => path);
}

/** Hashes of all texts that a record names. */
function textsNamedBy({ type, data }) {
  const shown = data.presentation ? [data.presentation.banner, ...data.presentation.purposes] : [];
  const template = data.template && data.template.version !== 0 ? [data.template] : [];
  const all = type === 'ConsentRecorded' ? [data.notice, ...shown] : [...template, ...shown];
  return all.map(({ contentHash }) => contentHash);
}

const textFile = (hash) => `texts/${hash.slice('sha256:'.length)}.json`;

// ---- The checks ---------------------------------------------------------------------------------------------------------

async function checked(files, ownKeys) {
  const checks = [];
  const problems = [];
  const warnings = [];
  const wrong = (member, detail) => void problems.push({ member, detail });
  const changed = new Set();
  const isBlamed = (member) => problems.some((problem) => problem.member === member);
  const check = async (name, work) => {
    const before = problems.length;
    const finding = await work();
    checks.push({ name, ok: problems.length === before, finding });
  };
  const present = new Set(files.names);
  const readable = (...names) => names.every((name) => present.has(name) && !changed.has(name));

  let manifest = null;
  let signedBy = null;
  let keys = [];
  await check('Manifest', async () => {
    const read = async (name, parse) => {
      if (!present.has(name)) return void wrong(name, 'is missing');
      try {
        return parse(await textOf(files, name));
      } catch {
        return void wrong(name, 'cannot be read: it was changed');
      }
    };
    const written = await read('manifest.json', (text) => ({ text, value: JSON.parse(text) }));
    const set = await read('keys.json', (text) => ({ text, value: JSON.parse(text).keys }));
    const broken = set && (!Array.isArray(set.value) || set.value.some((key) => key.kid !== thumbprint(key)));
    if (broken) wrong('keys.json', 'names a key by another thumbprint than its own: it was changed');
    keys = broken || !set ? [] : set.value;
    const jws = await read('manifest.jws', (text) => text);
    const seal = jws === undefined ? { wrong: 'is missing' } : opened(jws.slice(0, -1), 'audit-bundle+jws', keys);
    const isSealed = !seal.wrong && jws.endsWith('\n');
    manifest = isSealed ? JSON.parse(seal.payload) : (written?.value ?? null);
    if (manifest === null) return 'There is no manifest that could be read.';
    if (manifest.format !== FORMAT) {
      wrong('manifest.json', `is of the form ${manifest.format}, which this verifier does not know`);
      manifest = null;
      return 'Take the verifier of the release that made the archive.';
    }
    const listed = manifest.members.find(({ name }) => name === 'keys.json');
    const areKeysListed = set && listed && sha256(set.text) === listed.sha256;
    if (!isSealed && areKeysListed && jws !== undefined) wrong('manifest.jws', seal.wrong ?? 'was changed');
    if (isSealed && written && written.text !== `${JSON.stringify(manifest, null, 2)}\n`)
      wrong('manifest.json', 'says something else than what was signed');
    if (!isSealed) return 'Its signature could not be verified.';
    signedBy = seal.key;
    if (signedBy !== keyInForce(keys, manifest.last?.recordedAt ?? manifest.question.since))
      wrong(
        'manifest.jws',
        `is signed by the key ${signedBy.kid}, which was not in force when the last record was made`,
      );
    if (signedBy.revokedAt !== null)
      wrong(
        'manifest.jws',
        `is signed by the key ${signedBy.kid}, which counts as compromised since ${signedBy.revokedAt}`,
      );
    return `Signed by the key ${signedBy.kid}. It lists ${manifest.members.length} files.`;
  });
  if (manifest === null) return { manifest: null, checks, problems, warnings };

  await check('Files', async () => {
    const listed = new Set([...MANIFEST, ...manifest.members.map(({ name }) => name)]);
    for (const name of files.names) if (!listed.has(name)) wrong(name, 'does not belong to the archive');
    for (const { name, bytes, sha256: expected } of manifest.members) {
      if (!present.has(name)) {
        if (!isBlamed(name)) wrong(name, 'is missing');
        continue;
      }
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of files.read(name)) {
        hash.update(chunk);
        size += chunk.length;
      }
      if (size === bytes && hash.digest('hex') === expected) continue;
      changed.add(name);
      if (!isBlamed(name)) wrong(name, 'was changed');
    }
    return `${manifest.members.length} files, byte for byte as the manifest says.`;
  });

  await check('Keys', async () => {
    if (ownKeys) {
      for (const { kid, x } of keys)
        if (!ownKeys.some((key) => key.kid === kid && key.x === x))
          wrong('keys.json', `holds the key ${kid}, which the key set that you brought does not`);
      return `${keys.length} keys, all of them in the key set that you brought.`;
    }
    return `${keys.length} keys, as the archive brings them. Compare them with those of the service: --keys.`;
  });

  const revoked = new Map();
  const counted = { records: 0, receipts: 0, texts: new Set(), places: 0 };
  await check('Receipts and records', async () => {
    if (!readable('records.jsonl', 'receipts.jsonl', 'keys.json')) return 'Not checked: a file was changed.';
    const receipts = linesOf(files, 'receipts.jsonl');
    let last = null;
    for await (const { number, value: record } of linesOf(files, 'records.jsonl')) {
      counted.records++;
      const where = `line ${number}, position ${record.position}`;
      if (last !== null && BigInt(record.position) <= BigInt(last.position))
        wrong('records.jsonl', `${where}: is not in the order of the log`);
      if (record.stream !== `subject-${manifest.site}.${manifest.environment}.${record.subjectId}`)
        wrong('records.jsonl', `${where}: belongs to another site, environment or subject`);
      last = record;
      for (const hash of textsNamedBy(record)) counted.texts.add(hash);
      if (!hasReceipt(record)) continue;
      const { value: next } = await receipts.next();
      if (!next) {
        wrong('receipts.jsonl', `the receipt of records.jsonl ${where} is missing`);
        continue;
      }
      counted.receipts++;
      const { receipt, jws } = next.value;
      const seal = opened(jws, 'consent-receipt+jws', keys);
      const receiptIs = (detail) => wrong('receipts.jsonl', `line ${next.number}, ${receipt?.id}: ${detail}`);
      if (seal.wrong) receiptIs(seal.wrong);
      else if (seal.payload !== canonical(receipt)) receiptIs('says something else than what was signed');
      else if (seal.key !== keyInForce(keys, recordedAt(record)))
        receiptIs(`is signed by the key ${seal.key.kid}, which was not in force when the record was made`);
      else if (seal.key.revokedAt !== null) revoked.set(seal.key, (revoked.get(seal.key) ?? 0) + 1);
      const different = differences(record, receipt);
      if (different.length > 0) receiptIs(`does not say what its record says: ${different.join(', ')}`);
    }
    if (!(await receipts.next()).done) wrong('receipts.jsonl', 'holds more receipts than there are records');
    if (counted.records !== manifest.records || counted.receipts !== manifest.receipts)
      wrong('manifest.json', 'counts other records or receipts than there are');
    if (!equal(last && { position: last.position, recordedAt: last.recordedAt }, manifest.last))
      wrong('manifest.json', 'names another last record');
    return `${counted.records} events. Each of ${counted.receipts} records has its receipt, signed by the key that was in force, and both say the same.`;
  });
  for (const [{ kid, revokedAt }, receipts] of revoked)
    warnings.push(
      `${receipts} receipts are signed by the key ${kid}, which counts as compromised since ${revokedAt}. By themselves they prove nothing any more; the manifest vouches for them.`,
    );

  const isProven = manifest.members.some(({ name }) => name === 'proofs.jsonl');
  if (isProven)
    await check('Ledger', async () => {
      if (!readable('records.jsonl', 'proofs.jsonl', 'checkpoint', 'keys.json'))
        return 'Not checked: a file was changed.';
      const note = await textOf(files, 'checkpoint');
      const key = keyInForce(keys, manifest.last.recordedAt);
      const tree = key && checkpointBy(note, key);
      if (!tree || tree.origin !== `urn:assent:ledger:${manifest.site}:${manifest.environment}`) {
        wrong('checkpoint', 'is not signed by the key that was in force when the last record was made');
        return 'The checkpoint could not be verified.';
      }
      const proofs = linesOf(files, 'proofs.jsonl');
      let [proven, lastIndex] = [0, -1];
      for await (const { number, value: line } of linesOf(files, 'records.jsonl')) {
        const { value: next } = await proofs.next();
        const proofIs = (detail) => wrong('proofs.jsonl', `line ${number}, position ${line.position}: ${detail}`);
        if (!next || next.value.position !== line.position) {
          proofIs('is missing');
          break;
        }
        const { index, hashes, salt, record, entry } = next.value;
        const given = Buffer.from(entry, 'base64');
        const made = record === null ? given : digest(Buffer.from(salt, 'base64'), Buffer.from(record));
        const root = rootBy(
          index,
          tree.size,
          digest(Buffer.of(0), made),
          hashes.map((each) => Buffer.from(each, 'base64')),
        );
        if (!made.equals(given)) proofIs('is of another record than it shows');
        else if (root === null || root.toString('base64') !== tree.root)
          proofIs('does not lead to the root of the checkpoint');
        else if (index <= lastIndex) proofIs('stands before the one of an earlier record');
        if (record !== null) {
          const { id, stream, revision, type, data } = JSON.parse(record);
          const isSame = id === line.id && stream === line.stream && revision === line.revision && type === line.type;
          if (!isSame || !says(line.data, data)) proofIs('is of a record that says something else than records.jsonl');
          else proven++;
        }
        lastIndex = index;
      }
      if (!(await proofs.next()).done) wrong('proofs.jsonl', 'holds more proofs than there are records');
      return `${proven} events stand in the ledger of ${tree.size} leaves whose root was signed${proven < counted.records ? `; of ${counted.records - proven} the person was erased, and what their leaves say cannot be known any more` : ''}.`;
    });

  await check('Texts', async () => {
    if (!readable('records.jsonl', 'receipts.jsonl', 'texts.jsonl')) return 'Not checked: a file was changed.';
    const listed = new Set();
    for await (const { value } of linesOf(files, 'texts.jsonl')) {
      listed.add(value.file);
      if (value.file !== textFile(value.hash)) wrong('texts.jsonl', `names the file of ${value.hash} otherwise`);
    }
    for (const hash of counted.texts)
      if (!(listed.has(textFile(hash)) && present.has(textFile(hash))) && !isBlamed(textFile(hash)))
        wrong(textFile(hash), 'is missing: a record names it');
    for (const name of files.names.filter((each) => each.startsWith('texts/') && !changed.has(each)))
      if (textFile(`sha256:${sha256(await textOf(files, name))}`) !== name)
        wrong(name, 'is not the text whose hash is its name');
    return `Each of ${counted.texts.size} texts that records say were shown is here, and is the one whose hash they name.`;
  });

  await check('Rules', async () => {
    if (!readable('records.jsonl', 'policies.jsonl')) return 'Not checked: a file was changed.';
    const rules = new Map();
    for await (const { value } of linesOf(files, 'policies.jsonl')) {
      const name = canonical(value.place);
      rules.set(name, [...(rules.get(name) ?? []), value]);
    }
    for await (const { number, value: record } of linesOf(files, 'records.jsonl')) {
      if (record.type !== 'ConsentRecorded') continue;
      counted.places++;
      const { jurisdiction, givenAt } = record.data;
      const place = { country: jurisdiction?.country ?? null, region: jurisdiction?.region ?? null };
      const covers = ({ from, to }) => (from === null || from <= givenAt) && (to === null || givenAt < to);
      if (!(rules.get(canonical(place)) ?? []).some(covers))
        wrong('policies.jsonl', `has no rule for records.jsonl line ${number}`);
    }
    return `For each of ${counted.places} decisions the rule of its place and time is here.`;
  });

  return { manifest, signedBy, checks, problems, warnings };
}

// ---- What is said -------------------------------------------------------------------------------------------------------

function verdictOf({ manifest, checks, problems, warnings, signedBy }, hasOwnKeys) {
  const lines = ['Audit bundle of an Assent consent service', ''];
  if (manifest) {
    const { site, environment, question, last } = manifest;
    const { subject, since, personalData } = question;
    lines.push(
      `Site          ${site}, environment ${environment}`,
      `Question      ${subject === null ? `everything recorded since ${since}` : `everything about ${subject}`}`,
      `Log           ${last === null ? 'nothing was recorded' : `up to position ${last.position}, recorded ${last.recordedAt}`}`,
      `Personal data ${personalData === 'CLEAR' ? 'in clear' : 'left out'}`,
      '',
    );
  }
  for (const { name, ok, finding } of checks) lines.push(`${ok ? 'ok   ' : 'WRONG'} ${name}: ${finding}`);
  for (const { name, because } of manifest?.absent ?? []) lines.push(`none  ${name}: ${because}`);
  if (problems.length > 0) lines.push('', 'What is wrong:');
  for (const { member, detail } of problems) lines.push(`  ${member}: ${detail}`);
  if (warnings.length > 0) lines.push('', 'What to know:', ...warnings.map((text) => `  ${text}`));
  lines.push('');
  if (problems.length > 0) {
    lines.push('VERDICT: NOT GENUINE. At least one file is not what the service signed. Do not rely on it.');
  } else {
    lines.push(
      `VERDICT: GENUINE. Nothing was changed, added or taken away since the key ${signedBy.kid} signed it.`,
      hasOwnKeys
        ? 'That key is in the key set that you brought: where you have it from the service, the service signed it.'
        : "Whether that key is the service's own, this archive cannot prove: fetch /.well-known/jwks.json from the service and run this again with --keys.",
    );
  }
  return `${lines.join('\n')}\n`;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, keys: { type: 'string' } },
  });
  if (positionals.length > 1) throw new Error('name one archive, or one folder');
  const files = await filesOf(positionals[0] ?? dirname(fileURLToPath(import.meta.url)));
  const ownKeys = values.keys === undefined ? null : JSON.parse(readFileSync(values.keys, 'utf8')).keys;
  const result = await checked(files, ownKeys);
  const isGenuine = result.problems.length === 0;
  if (values.json) {
    const { manifest, signedBy, checks, problems, warnings } = result;
    const verdict = {
      verdict: isGenuine ? 'GENUINE' : 'NOT_GENUINE',
      site: manifest?.site ?? null,
      environment: manifest?.environment ?? null,
      question: manifest?.question ?? null,
      signedBy: signedBy?.kid ?? null,
      keysCompared: ownKeys !== null,
      checks: checks.map(({ name, ok }) => ({ name, ok })),
      problems,
      warnings,
      absent: manifest?.absent ?? [],
    };
    process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`);
  } else {
    process.stdout.write(verdictOf(result, ownKeys !== null));
  }
  process.exitCode = isGenuine ? 0 : 1;
}

await main().catch((error) => {
  process.stderr.write(`The archive could not be checked: ${error.message}\n`);
  process.exitCode = 2;
});
