import { createHash } from 'node:crypto';
import { ownerOf, prefixesOf } from '../../context/stream-kind.js';
import { requestStreamsOf, subjectOfRequestEvent } from '../../data-requests/index.js';
import {
  BEGINNING,
  type Position,
  Refused,
  refusal,
  SITE_PATTERN,
  subjectOfStream,
  subjectStream,
  type Environment,
  type Instant,
  type Scope,
} from '../../kernel/index.js';
import { type RecordedEvent } from '../../log/port.js';
import { csvLine } from './csv.js';
import type { Engines } from '../engines.js';
import { noSuchSubject, subjectNamed } from './subject-named.js';
import type { Operator } from '../events.js';
import type { ExportedEvent } from './exported-event.js';
import { ciphersOf, eventsOfStreams, familyOfSubject, opened, type CipherOf } from '../../subject-archive/index.js';
import { readLog } from '../../log/log-reading.js';
import { recordOperation } from '../operations.js';
import { noteOperatorRead } from '../operator-reads.js';

export type ExportFormat = 'jsonl' | 'csv';

export interface ExportWanted {
  /** One subject by a reference, or everything from a time of recording on. */
  of:
    | { subject: string; scope: Scope }
    | { since: Instant; site: string | null; env: Environment | null; withPersonalData: boolean };
  /** Inclusive; null: all that is in the log now. The same log up to the same position gives the same bytes. */
  through: Position | null;
  format: ExportFormat;
  by: Operator;
}

export interface Exported {
  events: number;
  bytes: number;
  /** Of all bytes, in hex. */
  sha256: string;
  /** The log was read up to here. */
  through: Position;
}

const COLUMNS = [
  'position',
  'stream',
  'revision',
  'id',
  'type',
  'schemaVersion',
  'recordedAt',
  'actor',
  'requestId',
  'site',
  'env',
  'subjectId',
  'data',
] as const;

/**
 * Writes the events of the log in order, with the memory of one batch. Personal fields are in clear in the export of a
 * subject and, on request, of a site: null where they were forgotten. Otherwise they stay sealed as they are stored. An
 * export in clear is recorded before the first byte is written.
 */
export async function exportLog(
  engines: Engines,
  { of, through: wanted, format, by }: ExportWanted,
  write: (text: string) => Promise<void>,
  look: (share: number, events: number) => void,
): Promise<Exported> {
  const head = await engines.log.head();
  const through = wanted !== null && wanted < head ? wanted : head;
  const hash = createHash('sha256');
  let events = 0;
  let bytes = 0;
  const put = async (text: string): Promise<void> => {
    hash.update(text);
    bytes += Buffer.byteLength(text);
    await write(text);
  };
  const take = async (batch: readonly RecordedEvent[], cipherOf: CipherOf): Promise<void> => {
    if (batch.length === 0) return;
    events += batch.length;
    await put(batch.map((event) => lineOf(exported(engines, event, cipherOf), format)).join(''));
  };
  const record = async (
    subjectId: string | null,
    scope: { site: string | null; env: Environment | null },
    since: Instant | null,
  ): Promise<void> => {
    await recordOperation(engines, {
      type: 'AuditExported',
      data: { by, subjectId, ...scope, since, through: String(through) },
    });
    await noteOperatorRead(engines, { by, subjectId, ...scope, operation: 'audit export' });
  };

  if ('subject' in of) {
    const subjectId = await subjectNamed(engines, of);
    const [first] = await engines.log.read(subjectStream(of.scope, subjectId), { direction: 'forwards', limit: 1 });
    if (!first) throw noSuchSubject();
    await record(subjectId, of.scope, null);
    const family = await familyOfSubject(engines, of.scope, subjectId);
    const cipherOf = await ciphersOf(engines.vault, family);
    if (format === 'csv') await put(csvLine(COLUMNS));
    const requests = await requestStreamsOf(engines.database, of.scope, family);
    const streams = [...family.map((id) => subjectStream(of.scope, id)), ...requests];
    for await (const page of eventsOfStreams(engines, streams, through)) {
      await take(page, cipherOf);
      look(0, events);
    }
    look(1, events);
  } else {
    const { site } = of;
    if (site !== null && !SITE_PATTERN.test(site)) throw noSuchSite();
    if (of.withPersonalData) await record(null, { site: of.site, env: of.env }, of.since);
    if (format === 'csv') await put(csvLine(COLUMNS));
    await readLog(
      engines.log,
      { after: BEGINNING, through, prefixes: site === null ? [] : prefixesOf(engines.streams, site, of.env) },
      async (batch, reached) => {
        // Several machines write the times, so the log is not ordered by them.
        const since = batch.filter(
          ({ metadata, stream }) =>
            metadata.recordedAt >= of.since && (site === null || ownerOf(engines.streams, stream)?.site === site),
        );
        await take(
          since,
          of.withPersonalData
            ? await ciphersOf(
                engines.vault,
                since.flatMap((event) => subjectOf(event) ?? []),
              )
            : () => undefined,
        );
        look(Number(reached + 1n) / Number(through + 1n), events);
      },
    );
  }
  return { events, bytes, sha256: hash.digest('hex'), through };
}

const noSuchSite = (): Refused =>
  new Refused(refusal('site_unknown', 'That is no name of a site.', 'List them with assent sites list.'));

function exported({ codec, streams }: Engines, event: RecordedEvent, cipherOf: CipherOf): ExportedEvent {
  const subjectId = subjectOf(event);
  const cipher = subjectId === null ? undefined : cipherOf(subjectId);
  const read = cipher && opened(codec, event, cipher, cipherOf);
  return exportedAs(streams, event, read ? read.data : withoutSecrets(event.data));
}

/** The subject of an event: that of its stream, or of its data request. */
const subjectOf = (event: Pick<RecordedEvent, 'stream' | 'data'>): string | null =>
  subjectOfStream(event.stream)?.subjectId ?? subjectOfRequestEvent(event);

/** An event with the data that the exporting operator may see. */
export function exportedAs(streams: Engines['streams'], event: RecordedEvent, data: unknown): ExportedEvent {
  const { stream, metadata } = event;
  const owner = ownerOf(streams, stream);
  return {
    position: String(event.position),
    stream,
    revision: event.revision,
    id: event.id,
    type: event.type,
    schemaVersion: metadata.schemaVersion,
    recordedAt: metadata.recordedAt,
    actor: metadata.actor,
    requestId: metadata.requestId ?? null,
    site: owner?.site ?? null,
    env: owner?.env ?? null,
    subjectId: subjectOf(event),
    data,
  };
}

/** Members that prove nothing to an auditor and could help an attacker: hashes, and texts for the master key. */
const SECRETS = ['secretHash', 'sealedIdentityKey', 'sealedSecret', 'sealedUrl'];

function withoutSecrets(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const hidden = SECRETS.filter((name) => Object.hasOwn(data, name));
  return hidden.length === 0 ? data : { ...data, ...Object.fromEntries(hidden.map((name) => [name, null])) };
}

const lineOf = (event: ExportedEvent, format: ExportFormat): string => {
  if (format === 'jsonl') return `${JSON.stringify(event)}\n`;
  return csvLine(COLUMNS.map((column) => (column === 'data' ? JSON.stringify(event.data) : event[column])));
};
