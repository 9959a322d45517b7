import { Inject, Injectable } from '@nestjs/common';
import type { Stream } from '../../streams/stream.js';
import {
  isRefusal,
  parseReference,
  Refused,
  subjectStream,
  type DomainEvent,
  type Reference,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { goneWithSubject } from '../../commands/once.js';
import { Vault } from '../../vault/vault.js';
import type { WholeState } from '../parts.js';
import { subjectRefusals } from '../refusals.js';
import { standingOf } from '../standing.js';
import { WHOLE_STREAMS } from '../tokens.js';
import { MergeCompletion } from './merge-completion.js';

/** An erased subject is looked up again, once: its reference may name a new one by now. */
const MOST_LOOKS = 2;

/** From what callers say to the subject that is meant. */
@Injectable()
export class Resolver {
  constructor(
    private readonly vault: Vault,
    private readonly completion: MergeCompletion,
    @Inject(WHOLE_STREAMS) private readonly streams: Stream<WholeState, DomainEvent>,
  ) {}

  /** The subject that speaks for a reference, or why there is none; `path` says where the reference stood. */
  async resolve(scope: Scope, ref: string, path: string): Promise<string | Refusal> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) return { ...reference, issues: [{ path, message: 'cannot be read' }] };
    const subjectId = await this.find(scope, reference);
    if (subjectId !== null && !isRefusal(subjectId)) return subjectId;
    return subjectId ?? subjectRefusals.notFound(path);
  }

  /** Null where the reference is unknown; a refusal where an id is that of an erased subject. */
  async find(scope: Scope, reference: Reference): Promise<string | Refusal | null> {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const found = await this.vault.find(scope, reference);
      if (!found)
        return reference.kind === 'subject' && (await this.wasErased(scope, reference.value))
          ? subjectRefusals.erased()
          : null;
      const { subjectId, erased } = await this.completion.settle(scope, found.subjectId);
      if (!erased) return subjectId;
      if (reference.kind === 'subject') return subjectRefusals.erased();
      this.vault.forget(scope, reference);
    }
    return null;
  }

  /** Whether one subject speaks for both by now. */
  async areOne(scope: Scope, ...subjectIds: [string, string]): Promise<boolean> {
    const [one, other] = await Promise.all(subjectIds.map((id) => this.completion.settle(scope, id)));
    return one!.subjectId === other!.subjectId;
  }

  /** Nothing is answered again about a subject that was erased since. */
  async refuseGone(scope: Scope, subjectId: string): Promise<void> {
    if ((await this.completion.settle(scope, subjectId)).erased) throw new Refused(goneWithSubject());
  }

  private async wasErased(scope: Scope, subjectId: string): Promise<boolean> {
    return standingOf((await this.streams.load(subjectStream(scope, subjectId))).state.subject).erasedAt !== null;
  }
}
