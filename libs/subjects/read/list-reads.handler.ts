import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { listReads, placeOf, SubjectReads, type ReadsPlace, type SubjectRead } from '../../access/index.js';
import { isRefusal, parseReference, Refused, type Instant, type Reader, type Reference } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { pageOf, readCursor, type Page } from '../../http/list.js';
import { Vault } from '../../vault/vault.js';
import { followToRead } from '../follow.js';
import { SubjectLookup } from '../lookup.js';
import { subjectRefusals } from '../refusals.js';
import { familyOf, standingOf } from '../standing.js';

/** Who read of a subject, and of all that were merged into it. Of an erased subject by its id. */
export class ListSubjectReads extends Query<Page<SubjectRead>> {
  constructor(
    readonly caller: Reader,
    readonly ref: string,
    readonly filter: { reader?: string; from?: Instant; to?: Instant },
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

@QueryHandler(ListSubjectReads)
export class ListSubjectReadsHandler implements IQueryHandler<ListSubjectReads> {
  constructor(
    private readonly vault: Vault,
    private readonly lookup: SubjectLookup,
    private readonly reads: SubjectReads,
    private readonly database: Database,
  ) {}

  async execute({ caller, ref, filter, limit, cursor }: ListSubjectReads): Promise<Page<SubjectRead>> {
    const reference = parseReference(ref);
    if (isRefusal(reference)) throw new Refused(reference);
    const family = await this.family(caller, reference);
    const { reader = null, from = null, to = null } = filter;
    // What this process noted a moment ago is among the answers.
    await this.reads.write();
    const { site, env } = caller;
    const after: ReadsPlace | null =
      cursor === undefined ? null : readCursor(cursor, ['string', 'string', 'string', 'string'] as const);
    const wanted = { site, env, subjectIds: family, reader, from, to, after, limit: limit + 1 };
    const found = await listReads(this.database, wanted);
    this.reads.note(caller, family[0]!);
    return pageOf(found, limit, placeOf);
  }

  private async family(caller: Reader, reference: Reference): Promise<string[]> {
    const named =
      reference.kind === 'subject' ? reference.value : (await this.vault.find(caller, reference))?.subjectId;
    if (named === undefined) throw new Refused(subjectRefusals.notFound('ref'));
    const { root, path } = await followToRead(named, (id) => this.lookup.stateOf(caller, id));
    if (root.state.createdAt === null) throw new Refused(subjectRefusals.notFound('ref'));
    return [...new Set([root.subjectId, ...path.map((step) => step.subjectId), ...familyOf(standingOf(root.state))])];
  }
}
