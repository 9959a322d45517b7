import { readFileSync } from 'node:fs';
import { catalogueFold, type CatalogueEvent, type CatalogueState } from '../../catalogue/index.js';
import { readLog } from '../../log/log-reading.js';
import type { RecordedEvent } from '../../log/port.js';
import {
  BEGINNING,
  canonicalJson,
  catalogueStream,
  subjectOfStream,
  subjectStream,
  type DomainEvent,
  type Instant,
  type Position,
} from '../../kernel/index.js';
import { inRelease } from '../../engines/release-folder.js';
import type { BundleSigner } from '../../receipts/index.js';
import { csvLine } from '../export/csv.js';
import type { Engines } from '../engines.js';
import { TIMELINE_COLUMNS, type ReadEvent } from '../../context/subject-timeline.js';
import {
  ciphersOf,
  eventsOf,
  foldedThrough,
  opened,
  ReceiptReplay,
  Texts,
  whatStood,
} from '../../subject-archive/index.js';
import { exportedAs } from '../export/export.js';
import type { ExportedEvent } from '../export/exported-event.js';
import { writeReads } from './access.js';
import { writeDeliveries } from './deliveries.js';
import { manifestOf, MANIFEST_JWS_TYPE, type Manifest } from './manifest.js';
import { type Members, type Member } from './members.js';
import { recordBegin, recordEnd, recordEvent } from './page.js';
import { checkpointAt, writeProof, type ProvenLedger } from './proofs.js';
import type { BundleWanted } from './question.js';
import { Rules } from './rules.js';
import { writeTexts } from './text-files.js';
import { withheld, withheldData } from './withheld.js';

/** Most events on the page of an archive: a person does not read more. */
const PAGE_EVENTS_MAX = 2_000;
const VERIFIER = 'verify.mjs';

/** The engines that a bundle is made with. */
export type BundleEngines = Pick<Engines, 'log' | 'codec' | 'vault' | 'master' | 'database' | 'streams' | 'timeline'>;

/** The summary of an archive whose files were made. */
export interface BundleContents {
  subject: string | null;
  records: number;
  receipts: number;
  texts: number;
  /** Position of the last event in it, as decimal text; null where there is none. */
  through: string | null;
}

/** One event as it is exported, with its decoded content. */
interface Line {
  line: ExportedEvent;
  /** Null: this release cannot read it, or an operator left it out of every answer. */
  event: DomainEvent | null;
}

const readOf = ({ line: { position, recordedAt, type, subjectId }, event }: Line): ReadEvent => ({
  position,
  recordedAt,
  type,
  subjectId,
  event,
});

/** The files of one archive while they are made. */
export class BundleFiles {
  private records = 0;
  private receipts = 0;
  private shown = 0;
  private last: ExportedEvent | null = null;

  constructor(
    private readonly engines: BundleEngines,
    private readonly signer: BundleSigner,
    private readonly proven: ProvenLedger,
    private readonly wanted: BundleWanted,
    private readonly family: string[] | null,
    private readonly through: Position,
    private readonly members: Members,
  ) {}

  async make(look: (share: number, events: number) => void): Promise<BundleContents> {
    const { engines, members } = this;
    const { scope } = this.wanted;
    const catalogue = await foldedThrough<CatalogueState, CatalogueEvent>(
      engines,
      catalogueStream(scope),
      catalogueFold,
      this.through,
    );
    const texts = new Texts(catalogue, engines.timeline);
    const rules = new Rules(catalogue, engines.timeline);
    const replay = new ReceiptReplay(engines, catalogue);
    const [jsonl, csv, receipts] = (await Promise.all(
      ['records.jsonl', 'records.csv', 'receipts.jsonl'].map((name) => members.open(name)),
    )) as [Member, Member, Member];
    const timeline = await members.draft('timeline');
    await csv.write(csvLine(TIMELINE_COLUMNS));
    await this.replay(look, async (batch) => {
      const lines = await this.lines(batch);
      for (const [i, { event }] of lines.entries()) {
        texts.note(event);
        rules.note(event);
        const made = await replay.of(batch[i]!);
        if (!made) continue;
        this.receipts++;
        const jws = await this.signer.sign(scope.env, made.receipt, made.recordedAt);
        await receipts.write(`${JSON.stringify({ receipt: made.receipt, jws })}\n`);
      }
      await jsonl.write(lines.map(({ line }) => `${JSON.stringify(line)}\n`).join(''));
      await csv.write(
        lines
          .flatMap((each) => engines.timeline.entriesOf(readOf(each)))
          .map((entry) => csvLine(TIMELINE_COLUMNS.map((name) => cell(entry[name]))))
          .join(''),
      );
      for (const each of lines.slice(0, PAGE_EVENTS_MAX - this.shown)) {
        this.shown++;
        await timeline.write(
          recordEvent(readOf(each), { timeline: engines.timeline, texts }, this.family === null).toString(),
        );
      }
      this.records += lines.length;
      this.last = lines.at(-1)?.line ?? this.last;
    });
    for (const member of [jsonl, csv, receipts]) await members.end(member);
    await this.prove();
    await writeTexts(texts, members);
    await rules.write(members);
    const asked = {
      subjectIds: this.family,
      from: 'since' in this.wanted.of ? this.wanted.of.since : null,
      until: this.wanted.readsUntil ?? this.lastAt,
    };
    await writeReads(engines, members, scope, asked);
    await writeDeliveries(engines, members, scope, asked);
    await this.page(timeline, texts);
    const keys = await this.signer.datedKeys(scope.env);
    await members.put('keys.json', `${JSON.stringify({ keys }, null, 2)}\n`);
    await members.put(VERIFIER, readFileSync(inRelease('apps', 'cli', 'bundle', VERIFIER), 'utf8'));
    await members.put('README.txt', readFileSync(inRelease('apps', 'cli', 'bundle', 'README.txt'), 'utf8'));
    await this.manifest();
    return {
      subject: this.family?.[0] ?? null,
      records: this.records,
      receipts: this.receipts,
      texts: texts.size,
      through: this.last?.position ?? null,
    };
  }

  /** Calls back with every event of the question, in the order of the log, batch by batch. */
  private async replay(
    look: (share: number, events: number) => void,
    take: (batch: RecordedEvent[]) => Promise<void>,
  ): Promise<void> {
    const { engines, through, family } = this;
    const { of, scope } = this.wanted;
    if (family !== null) {
      for await (const page of eventsOf(engines, scope, family, through)) {
        await take(page);
        look(0, this.records);
      }
      return;
    }
    const { since } = of as { since: Instant };
    const prefixes = [subjectStream(scope, '')];
    await readLog(engines.log, { after: BEGINNING, through, prefixes }, async (batch, reached) => {
      // Several machines write the times, so the log is not ordered by them.
      const asked = batch.filter(({ metadata, stream }) => metadata.recordedAt >= since && subjectOfStream(stream));
      if (asked.length > 0) await take(asked);
      look(Number(reached + 1n) / Number(through + 1n), this.records);
    });
  }

  private async lines(batch: readonly RecordedEvent[]): Promise<Line[]> {
    const { codec, streams, timeline } = this.engines;
    const subjectIds = batch.flatMap(({ stream }) => subjectOfStream(stream)?.subjectId ?? []);
    const cipherOf = this.wanted.withPersonalData ? await ciphersOf(this.engines.vault, subjectIds) : () => undefined;
    return batch.map((event) => {
      const cipher = cipherOf(subjectOfStream(event.stream)!.subjectId);
      const read = (cipher && opened(codec, event, cipher, cipherOf)) ?? withheld(codec, event);
      const line = exportedAs(streams, event, read ? read.data : withheldData(event.data));
      if (codec.isLeftOut(event)) return { line: { ...line, leftOut: true }, event: null };
      return { line, event: timeline.known(read) };
    });
  }

  /** When the last event was recorded; without an event, the `since` of the question. */
  private get lastAt(): Instant {
    return this.last?.recordedAt ?? (this.wanted.of as { since: Instant }).since;
  }

  /** Writes the proofs in a second pass: the last event decides the tree of all proofs. */
  private async prove(): Promise<void> {
    const { members, proven, last } = this;
    if (last === null) return;
    const checkpoint = await checkpointAt(proven, this.wanted.scope, last);
    await members.put('checkpoint', checkpoint.note);
    const proofs = await members.open('proofs.jsonl');
    await this.replay(
      () => undefined,
      async (batch) => {
        for (const event of batch) await writeProof(proven, checkpoint, event, proofs);
      },
    );
    await members.end(proofs);
  }

  private async page(timeline: Member, texts: Texts): Promise<void> {
    const { members, records, shown, last, family } = this;
    const { of, scope, withPersonalData } = this.wanted;
    await timeline.end();
    const page = await members.open('timeline.html');
    const stood =
      family === null || last === null
        ? null
        : await whatStood(this.engines, scope, family[0]!, this.through, last.recordedAt);
    const heading = {
      site: scope.site,
      environment: scope.env,
      subject: family?.[0] ?? null,
      since: 'since' in of ? of.since : null,
      records,
      last,
      personalData: withPersonalData ? ('CLEAR' as const) : ('WITHHELD' as const),
      stood,
      shown,
    };
    await page.write(recordBegin(heading).toString());
    await page.append(timeline);
    for (const part of recordEnd(texts)) await page.write(part.toString());
    await members.end(page);
  }

  /** Writes the signed list of all files: it shows when a file was changed, added or taken away. */
  private async manifest(): Promise<void> {
    const { members, last, records, receipts } = this;
    const { of, scope, through, withPersonalData } = this.wanted;
    const manifest: Manifest = manifestOf({
      scope,
      subject: this.family?.[0] ?? null,
      since: 'since' in of ? of.since : null,
      through,
      readsUntil: this.wanted.readsUntil ?? this.lastAt,
      withPersonalData,
      records,
      receipts,
      last,
      members: members.list(),
      absent: [],
    });
    const jws = await this.signer.signAsOf(scope.env, MANIFEST_JWS_TYPE, manifest, this.lastAt);
    // Members in the order in which they are signed, so that the signature fixes every byte of the file.
    const signed = JSON.parse(canonicalJson(manifest)) as unknown;
    await members.put('manifest.json', `${JSON.stringify(signed, null, 2)}\n`);
    await members.put('manifest.jws', `${jws}\n`);
  }
}

const cell = (value: string | number | boolean | null): string | number | null =>
  typeof value === 'boolean' ? String(value) : value;
