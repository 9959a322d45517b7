import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Intent, SubjectStream } from '../../event-log/subject-stream.js';
import { CLOCK, isRefusal, subjectStream, uuidV5, type Clock, type Decision, type DomainEvent, type Scope } from '../../kernel/index.js';
import { Vault } from '../../platform/vault/vault.js';
import { receive, release } from '../decide.js';
import { arrival, follow, type Step } from '../follow.js';
import type { SubjectPart, WholeState } from '../parts.js';
import { familyOf, standingOf, type Standing } from '../standing.js';
import { SUBJECT_PARTS, SUBJECT_TAGS, WHOLE_STREAMS, type SubjectTags } from '../tokens.js';
import type { Settled, Subjects } from '../subjects.js';

/** Each round completes one step of somebody's; more rounds than this and something else is wrong. */
const MOST_ROUNDS = 200;

/** Under this the events of a merge are found on a stream, whoever wrote them. */
export const mergeKey = (mergeId: string): string => createHash('sha256').update(`merge/${mergeId}`).digest('hex');

interface Whole {
  standing: Standing;
  state: WholeState;
}

/** Finishes merges that are on their way, and says where to go on. Idempotent, and done by whoever comes by. */
@Injectable()
export class Settler implements Subjects {
  constructor(
    @Inject(WHOLE_STREAMS) private readonly streams: SubjectStream<WholeState, DomainEvent>,
    @Inject(SUBJECT_PARTS) private readonly parts: readonly SubjectPart[],
    private readonly vault: Vault,
    @Inject(SUBJECT_TAGS) private readonly tags: SubjectTags,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async settle(scope: Scope, subjectId: string): Promise<Settled> {
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
      const followed = await follow(subjectId, (id) => this.load(scope, id));
      if ('void' in followed) {
        await this.open(scope, followed.void.subjectId, followed.void.mergeId, 'VOID');
        continue;
      }
      const { root, path } = followed;
      if (root.state.standing.erasedAt !== null) {
        await this.vault.destroy([root.subjectId, ...familyOf(root.state.standing), ...path.map((step) => step.subjectId)]);
        return { subjectId: root.subjectId, erased: true };
      }
      if (!(await this.advanced(scope, path, root))) return { subjectId: root.subjectId, erased: false };
    }
    throw new Error(`the merges around ${subjectId} do not settle`);
  }

  /** Carries out one step that is due on the way to the root; false where none is. */
  private async advanced(scope: Scope, path: readonly Step<Whole>[], root: Step<Whole>): Promise<boolean> {
    for (const [i, { subjectId, state }] of path.entries()) {
      const { mergeId } = state.standing.merged!;
      const arrived = arrival(mergeId, subjectId, [...path.slice(i + 1), root]);
      if (arrived?.what === 'absorbed') continue;
      if (arrived) await this.open(scope, subjectId, mergeId, 'REVERTED');
      else await this.deliver(scope, subjectId, state, root.subjectId);
      return true;
    }
    return false;
  }

  /** Opens a closed subject again, where that very merge still holds it. */
  async open(scope: Scope, subjectId: string, mergeId: string, cause: 'REVERTED' | 'VOID'): Promise<void> {
    const survivorId = (await this.load(scope, subjectId)).standing.merged?.into ?? '';
    await this.write(scope, subjectId, (state) => release(mergeId, survivorId, cause, this.clock(), subjectId, state.subject), `${mergeId}/${subjectId}/opened`, mergeId);
  }

  /** Tells the survivor what it has absorbed; nothing where it was told, or is itself closed meanwhile. */
  private async deliver(scope: Scope, absorbedId: string, { state: absorbed, standing }: Whole, survivorId: string): Promise<void> {
    const { mergeId, policy, carryOver, mergedAt } = standing.merged!;
    const merge = { mergeId, survivorId, absorbedId, policy, carryOver, mergedAt };
    await this.write(scope, survivorId, (state) => (isClosed(state) ? { refused: false, events: [] } : receive(this.parts, merge, absorbed, state)), `${mergeId}/${absorbedId}/received/${survivorId}`, mergeId);
    this.tags.drop([absorbedId, survivorId]);
  }

  private async write(scope: Scope, subjectId: string, decide: (state: WholeState) => Decision<DomainEvent>, id: string, mergeId: string): Promise<void> {
    await this.streams.execute(subjectStream(scope, subjectId), undefined, ({ state }) => {
      const decided = decide(state);
      if (isRefusal(decided)) return decided;
      const metadata = { actor: 'system:merge', idempotencyKey: mergeKey(mergeId), fingerprint: mergeId, recordedAt: this.clock() };
      return { append: decided.events.map((event, i): Intent => ({ event, id: uuidV5(`${id}/${i}`), metadata })), answer: () => undefined };
    });
  }

  async load(scope: Scope, subjectId: string): Promise<Whole> {
    const { state } = await this.streams.load(subjectStream(scope, subjectId));
    return { standing: standingOf(state.subject), state };
  }
}

const isClosed = ({ subject }: WholeState): boolean => standingOf(subject).merged !== null || standingOf(subject).erasedAt !== null;
