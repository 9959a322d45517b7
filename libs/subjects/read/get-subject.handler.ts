import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isRefusal, parseReference, Refused, type Scope } from '../../kernel/index.js';
import { Vault } from '../../platform/vault/vault.js';
import { followToRead } from '../follow.js';
import { SubjectLookup } from '../lookup.js';
import { subjectRefusals } from '../refusals.js';
import { standingOf } from '../standing.js';
import type { SubjectView } from '../view.js';

/** An erased subject is looked up again, once: its reference may name a new one by now. */
const MOST_LOOKS = 2;

/** A subject with its identifiers, told from its stream. By an id also one that was merged or erased, as a marker. */
export class GetSubject extends Query<SubjectView> {
  constructor(
    readonly scope: Scope,
    readonly ref: string,
  ) {
    super();
  }
}

@QueryHandler(GetSubject)
export class GetSubjectHandler implements IQueryHandler<GetSubject> {
  constructor(
    private readonly vault: Vault,
    private readonly lookup: SubjectLookup,
  ) {}

  async execute({ scope, ref }: GetSubject): Promise<SubjectView> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    if (reference.kind === 'subject') {
      const view = await this.lookup.view(scope, reference.value);
      if (view.createdAt === null) throw new Refused(subjectRefusals.notFound('ref'));
      return view;
    }
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const found = await this.vault.find(scope, reference);
      if (!found) break;
      const { root } = await followToRead(found.subjectId, (id) => this.lookup.stateOf(scope, id));
      if (standingOf(root.state).erasedAt === null) return this.lookup.view(scope, root.subjectId);
      this.vault.forget(scope, reference);
    }
    throw new Refused(subjectRefusals.notFound('ref'));
  }
}
