import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SubjectReads } from '../../access/index.js';
import { isRefusal, parseReference, Refused, type Reader } from '../../kernel/index.js';
import { Vault } from '../../vault/vault.js';
import { followToRead } from '../follow.js';
import { SubjectLookup } from '../lookup.js';
import { subjectRefusals } from '../refusals.js';
import { standingOf } from '../standing.js';
import type { SubjectView } from '../view.js';

/** An erased subject is looked up again, once: its reference may name a new one by now. */
const MOST_LOOKS = 2;

/** A subject with its identifiers, read from its stream. By an id also one that was merged or erased, as a marker. */
export class GetSubject extends Query<SubjectView> {
  constructor(
    readonly caller: Reader,
    readonly ref: string,
    /** Where the request names the subject, for its refusal. */
    readonly named = 'ref',
  ) {
    super();
  }
}

@QueryHandler(GetSubject)
export class GetSubjectHandler implements IQueryHandler<GetSubject> {
  constructor(
    private readonly vault: Vault,
    private readonly lookup: SubjectLookup,
    private readonly reads: SubjectReads,
  ) {}

  async execute({ caller, ref, named }: GetSubject): Promise<SubjectView> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    if (reference.kind === 'subject') {
      const view = await this.lookup.view(caller, reference.value);
      if (view.createdAt === null) throw new Refused(subjectRefusals.notFound(named));
      this.reads.note(caller, view.id);
      return view;
    }
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const found = await this.vault.find(caller, reference);
      if (!found) break;
      const { root } = await followToRead(found.subjectId, (id) => this.lookup.stateOf(caller, id));
      if (standingOf(root.state).erasedAt === null) {
        this.reads.note(caller, root.subjectId);
        return this.lookup.view(caller, root.subjectId);
      }
      this.vault.forget(caller, reference);
    }
    throw new Refused(subjectRefusals.notFound(named));
  }
}
