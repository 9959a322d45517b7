import { Inject, Injectable } from '@nestjs/common';
import type { Changed } from '../../commands/commands.js';
import { decideOnce, type DoneBy } from '../../commands/decide-on-stream.js';
import {
  CLOCK,
  catalogueStream,
  hashOf,
  isRefusal,
  refusal,
  type Clock,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { Codec } from '../../streams/codec.js';
import { SnapshotStore } from '../../streams/snapshot-store.js';
import { Stream } from '../../streams/stream.js';
import type { StreamFold } from '../../streams/stream-fold.js';
import { catalogueFiles } from '../files/files-view.js';
import { catalogueVersion, evolveCatalogue, type CatalogueState } from '../state.js';
import { CatalogueStreams } from './catalogue-stream.js';
import {
  discardDraft,
  draftFold,
  draftTag,
  openDraft,
  saveDraft,
  type Draft,
  type DraftEvent,
  type DraftState,
} from './draft.js';
import { draftText, type DraftFiles } from './draft-files.js';
import { DraftTexts } from './draft-texts.js';
import { DRAFT_PREFIX } from './drafts.projection.js';
import { publishDraft } from './publish-draft.js';
import { catalogueVersionAt, type CatalogueVersion } from './versions.js';

/** Each edit makes the stream longer, so its state is kept. */
export const DRAFT_STREAM_FOLD: StreamFold<DraftState, DraftEvent> = {
  ...draftFold,
  on: ['CatalogueDraftSaved', 'CatalogueDraftDiscarded'],
  snapshots: { name: 'catalogue_draft', version: '1' },
  contended: () =>
    refusal('state_conflict', 'Another operator is saving the draft at the same time.', 'Read it again.'),
};

const draftStream = ({ site, env }: Scope): string => `${DRAFT_PREFIX}${site}.${env}`;

/** What an editor works on. */
export interface DraftAtHand {
  /** Null: none waits, and `files` are those that are published. */
  draft: Draft | null;
  tag: string;
  files: DraftFiles;
  catalogue: CatalogueState;
}

export type DraftChanged = Changed & { refused: false };
export type DraftPublished = Changed & { refused: false; version: CatalogueVersion };

/** Reads, saves, discards and publishes the draft of a catalogue. Rejects with LogUnavailable or DependencyUnavailable. */
@Injectable()
export class DraftDesk {
  private readonly drafts: Stream<DraftState, DraftEvent>;

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
    snapshots: SnapshotStore,
    private readonly catalogues: CatalogueStreams,
    private readonly texts: DraftTexts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.drafts = new Stream(log, codec, DRAFT_STREAM_FOLD, { snapshots });
  }

  async catalogue(scope: Scope): Promise<CatalogueState> {
    return (await this.catalogues.load(catalogueStream(scope))).state;
  }

  async atHand(scope: Scope): Promise<DraftAtHand> {
    for (let again = true; ; again = false) {
      const { drafts, catalogue } = await this.load(scope);
      const draft = openDraft(drafts, catalogue);
      const tag = draftTag(draft, catalogue);
      if (!draft) return { draft, tag, files: catalogueFiles(catalogue, this.clock()), catalogue };
      const files = await this.filesOf(scope, draft);
      if (files) return { draft, tag, files, catalogue };
      // Another one was saved meanwhile, and took the place of this text.
      if (!again) throw new Error(`the text of the draft of ${scope.site} ${scope.env} is missing`);
    }
  }

  async save(
    scope: Scope,
    { files, seen, base }: { files: DraftFiles; seen: string; base?: number | undefined },
    by: DoneBy,
  ): Promise<DraftChanged | Refusal> {
    const { catalogue } = await this.load(scope);
    const text = draftText(files);
    const filesHash = hashOf(files);
    const savedAt = await this.texts.save(scope, filesHash, text);
    const command = { filesHash, bytes: Buffer.byteLength(text), seen, ...(base !== undefined && { base }) };
    const done = await decideOnce(this.drafts, {
      ...{ stream: draftStream(scope), by, clock: this.clock },
      decide: (state) => saveDraft(command, state, catalogue),
    });
    if (isRefusal(done)) return done;
    if (done.events.length > 0 && !done.replayed) await this.texts.dropOthers(scope, filesHash, savedAt);
    return { refused: false, events: done.events, position: done.position };
  }

  async discard(scope: Scope, seen: string, by: DoneBy): Promise<DraftChanged | Refusal> {
    const { catalogue } = await this.load(scope);
    const done = await decideOnce(this.drafts, {
      ...{ stream: draftStream(scope), by, clock: this.clock },
      decide: (state) => discardDraft(seen, state, catalogue),
    });
    return isRefusal(done) ? done : { refused: false, events: done.events, position: done.position };
  }

  async publish(scope: Scope, seen: string, mayDecide: boolean, by: DoneBy): Promise<DraftPublished | Refusal> {
    const { drafts, catalogue } = await this.load(scope);
    const draft = openDraft(drafts, catalogue);
    const files = draft && (await this.filesOf(scope, draft));
    const done = await decideOnce(this.catalogues, {
      ...{ stream: catalogueStream(scope), by, clock: this.clock },
      decide: (state, at) => publishDraft({ drafts, files, seen, by: by.actor, mayDecide }, state, at),
    });
    if (isRefusal(done)) return done;
    const { before, events, position } = done;
    const after = events.reduce(evolveCatalogue, before);
    return { refused: false, events, position, version: catalogueVersionAt(after, catalogueVersion(after))! };
  }

  /** The catalogue last: a draft that it calls published is then known, too. */
  private async load(scope: Scope): Promise<{ drafts: DraftState; catalogue: CatalogueState }> {
    const { state: drafts } = await this.drafts.load(draftStream(scope));
    return { drafts, catalogue: await this.catalogue(scope) };
  }

  private async filesOf(scope: Scope, { filesHash }: Draft): Promise<DraftFiles | null> {
    const text = await this.texts.read(scope, filesHash);
    return text === null ? null : (JSON.parse(text) as DraftFiles);
  }
}
