import { Inject, Injectable } from '@nestjs/common';
import type { Happened, Intent, Stream } from '../../streams/stream.js';
import {
  CLOCK,
  isRefusal,
  subjectStream,
  uuidV5,
  type Clock,
  type Decision,
  type DomainEvent,
  type Scope,
} from '../../kernel/index.js';
import { IdempotencyReservations } from '../../commands/reservations.js';
import { Vault } from '../../vault/vault.js';
import { eventMetadata } from '../../commands/event-metadata.js';
import { ownKey, type OwnKey } from '../../commands/own-key.js';
import { decline, receive, release } from '../decide.js';
import type { SubjectMergeReverted, SubjectsMerged } from '../events.js';
import { edgeOf, outcomeOf, follow, seek, type Edge, type Step } from '../follow.js';
import type { SubjectPart, WholeState } from '../parts.js';
import { familyOf, standingOf, type Standing } from '../standing.js';
import type { SubjectState } from '../state.js';
import { ERASED_TOO, SUBJECT_PARTS, SUBJECT_TAGS, WHOLE_STREAMS, type ErasedToo, type SubjectTags } from '../tokens.js';

/** Each round completes one step of one subject; more rounds than this mean that something else is wrong. */
const MOST_ROUNDS = 200;

/** The key that all events of a merge stand under, on every stream. */
export const mergeKey = (mergeId: string): OwnKey => ownKey(`merge/${mergeId}`, mergeId);

export type MergeEvent = Happened<SubjectsMerged> | Happened<SubjectMergeReverted>;

export interface Settled {
  /** The subject that speaks for the one that was asked for. */
  subjectId: string;
  /** Erased: a request by reference starts a new subject, a request by id is refused. */
  erased: boolean;
}

interface Whole {
  standing: Standing;
  state: WholeState;
}

/** Finishes merges that are on their way, and says where to go on. Idempotent: each caller that meets such a merge calls it. */
@Injectable()
export class MergeCompletion {
  constructor(
    @Inject(WHOLE_STREAMS) private readonly streams: Stream<WholeState, DomainEvent>,
    @Inject(SUBJECT_PARTS) private readonly parts: readonly SubjectPart[],
    private readonly vault: Vault,
    private readonly reservations: IdempotencyReservations,
    @Inject(ERASED_TOO) private readonly erasedToo: readonly ErasedToo[],
    @Inject(SUBJECT_TAGS) private readonly tags: SubjectTags,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Where to go on from a subject that was merged or erased. Completes whatever was left unfinished on the way: a state
   * that did not arrive at the survivor yet, a merge that gave way to another, keys not yet destroyed.
   */
  async settle(scope: Scope, subjectId: string): Promise<Settled> {
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
      const followed = await follow(subjectId, (id) => this.load(scope, id));
      if ('void' in followed) {
        await this.decline(scope, followed.void);
        continue;
      }
      const { root, path } = followed;
      const { merged, erasedAt } = root.state.standing;
      // Its survivor has let it go.
      if (merged) await this.open(scope, edgeOf(root));
      else if (!(await this.advanced(scope, path, root))) {
        // In one statement all keys are gone: who finds that of the root destroyed has nothing left to do.
        if (erasedAt !== null && !(await this.vault.cipherOf(root.subjectId)).destroyed)
          await this.destroy(scope, [root.subjectId, ...familyOf(root.state.standing)]);
        return { subjectId: root.subjectId, erased: erasedAt !== null };
      }
    }
    throw new Error(`the merges around ${subjectId} do not settle`);
  }

  /** Carries out what the log says: these subjects are erased. Can be repeated. */
  async destroy({ site, env }: Scope, subjectIds: readonly string[]): Promise<void> {
    await this.reservations.subjectsErased(subjectIds);
    // Before their keys are destroyed: what was addressed to them is found by what they are known by.
    const references = (await Promise.all(subjectIds.map((id) => this.vault.identifiersOf(id)))).flat();
    for (const forget of this.erasedToo) await forget({ scope: { site, env }, subjectIds, references });
    await this.vault.destroy(subjectIds);
  }

  /** Carries out one step that is due on the way to the root, the uppermost first; false where none is. */
  private async advanced(scope: Scope, path: readonly Step<Whole>[], root: Step<Whole>): Promise<boolean> {
    for (let i = path.length - 1; i >= 0; i--) {
      const step = path[i]!;
      const survivor = path[i + 1] ?? root;
      const edge = edgeOf(step);
      if (outcomeOf(edge.mergeId, edge.absorbedId, survivor.state) === 'absorbed') continue;
      // Merges that had not arrived when the subject was erased are dropped without an event.
      if (survivor.state.standing.erasedAt !== null) await this.open(scope, edge);
      else if (survivor === root) await this.deliver(scope, edge, step.state);
      else await this.decline(scope, edge);
      return true;
    }
    return false;
  }

  /** Opens a closed subject again, where that very merge still holds it. */
  async open(scope: Scope, edge: Edge): Promise<void> {
    const survivor = await this.load(scope, edge.survivorId);
    const cause = outcomeOf(edge.mergeId, edge.absorbedId, survivor) === 'reverted' ? 'REVERTED' : 'VOID';
    await this.write(
      scope,
      edge.absorbedId,
      (state) => release(edge, cause, this.clock(), state.subject),
      edge,
      'opened',
    );
  }

  /** Appends to the survivor what it has absorbed. */
  private async deliver(scope: Scope, edge: Edge, { state: absorbed, standing }: Whole): Promise<void> {
    const { policy, carryOver, mergedAt } = standing.merged!;
    await this.write(
      scope,
      edge.survivorId,
      (state) => receive(this.parts, { ...edge, policy, carryOver, mergedAt }, absorbed, state),
      edge,
      'received',
    );
    this.tags.drop([edge.absorbedId, edge.survivorId]);
  }

  private async decline(scope: Scope, edge: Edge): Promise<void> {
    await this.write(scope, edge.survivorId, (state) => decline(edge, this.clock(), state.subject), edge, 'declined');
  }

  private async write(
    scope: Scope,
    subjectId: string,
    decide: (state: WholeState) => Decision<DomainEvent>,
    { mergeId, absorbedId }: Edge,
    what: string,
  ): Promise<void> {
    await this.streams.execute(subjectStream(scope, subjectId), undefined, ({ state, revision }) => {
      const decided = decide(state);
      if (isRefusal(decided)) return decided;
      const metadata = eventMetadata({ actor: 'system:merge', key: mergeKey(mergeId), at: this.clock() });
      return {
        append: decided.events.map((event): Intent => ({
          event,
          id: uuidV5(`${mergeId}/${absorbedId}/${what}/${subjectId}/${revision}`),
          metadata,
        })),
        answer: () => undefined,
      };
    });
  }

  /** The events of a merge that stand with its survivors, arrived or reverted, in order: on the target, and wherever that belonged to meanwhile. */
  async notified(scope: Scope, mergeId: string, targetId: string): Promise<{ subjectId: string; event: MergeEvent }[]> {
    const notified: { subjectId: string; event: MergeEvent }[] = [];
    await seek(targetId, async (subjectId) => {
      const { state, events } = await this.eventsOf(scope, mergeId, subjectId);
      for (const event of events)
        if (event.data.role === 'SURVIVOR' && !(event.type === 'SubjectMergeReverted' && event.data.cause === 'VOID'))
          notified.push({ subjectId, event });
      return { state, found: null };
    });
    return notified.sort((a, b) => (a.event.position < b.event.position ? -1 : 1));
  }

  /** What one subject's stream holds of a merge. */
  async eventsOf(
    scope: Scope,
    mergeId: string,
    subjectId: string,
  ): Promise<{ state: SubjectState; events: MergeEvent[] }> {
    const stream = subjectStream(scope, subjectId);
    const { state } = await this.streams.load(stream);
    const revisions = state.mergeRevisions[mergeId] ?? [];
    const cipher = await this.vault.cipherOf(subjectId);
    return { state: state.subject, events: (await this.streams.at(stream, revisions, cipher)) as MergeEvent[] };
  }

  async load(scope: Scope, subjectId: string): Promise<Whole> {
    const { state } = await this.streams.load(subjectStream(scope, subjectId));
    return { standing: standingOf(state.subject), state };
  }
}
