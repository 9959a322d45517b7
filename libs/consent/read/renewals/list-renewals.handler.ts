import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SubjectReads } from '../../../access/index.js';
import { CATALOGUE, catalogueRefusals, isRetired, purposeOf, type Catalogue } from '../../../catalogue/index.js';
import { READ_PROGRESS } from '../../../log/tokens.js';
import {
  CLOCK,
  Refused,
  type Clock,
  type Instant,
  type Position,
  type Reader,
  type ReadProgress,
} from '../../../kernel/index.js';
import { DependencyUnavailable } from '../../../engines/dependency-unavailable.js';
import { pageOf, writeCursor, type Page } from '../../../http/list.js';
import { Vault } from '../../../vault/vault.js';
import { lastKnownPlace, needsOwnCountry, openedCountry } from '../../circumstances.js';
import { decisionOn, stateAt, type ConsentState } from '../../state.js';
import { purposeInForce } from '../../state-view.js';
import { renewalOf, type PurposeInForce } from '../../view.js';
import { KnownSubjects } from '../known-subjects.js';
import type { RenewalListDto, SubjectRenewalDto } from './renewals.dto.js';

/** How long a read that names the position of a write waits for the rows to tell of it, in ms. */
const OWN_WRITE_WAIT_MS = 1_500;
/** A page ends after so many statements, however few it holds: a request answers in a bounded time. */
const STATEMENTS_MAX = 10;

/** Whom to ask again for a purpose. */
export class ListRenewals extends Query<RenewalListDto> {
  constructor(
    readonly caller: Reader,
    readonly purpose: string,
    /** ISO 3166-1: only of those who were last known to be there. */
    readonly country: string | null,
    readonly limit: number,
    /** The subject that was looked at last; empty at the beginning. */
    readonly after: string,
    /** The caller's own last write. */
    readonly written: Position | null,
  ) {
    super();
  }
}

@QueryHandler(ListRenewals)
export class ListRenewalsHandler implements IQueryHandler<ListRenewals> {
  constructor(
    private readonly known: KnownSubjects,
    private readonly vault: Vault,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(READ_PROGRESS) private readonly progress: ReadProgress,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly reads: SubjectReads,
  ) {}

  async execute({
    caller,
    purpose: key,
    country,
    limit,
    after,
    written,
  }: ListRenewals): Promise<Page<SubjectRenewalDto>> {
    await this.reached(written);
    const at = this.clock();
    const catalogue = this.catalogue.of(caller);
    const purpose = purposeInForce(catalogue, key, { at, now: at });
    if (!purpose) throw new Refused(catalogueRefusals.notFound(key, Object.keys(catalogue.purposes)));
    // No subject can agree to a retired purpose, so none is listed.
    if (isRetired(purposeOf(catalogue, key)!, at)) return pageOf<SubjectRenewalDto>([], limit, () => []);
    const found: SubjectRenewalDto[] = [];
    let last: string | null = after;
    for (let statements = 0; statements < STATEMENTS_MAX && last !== null; statements++) {
      const page = await this.known.page(caller, last, { renewing: { purpose, at } });
      for (const subject of page.subjects) {
        const renewal = await this.renewal(subject, purpose, at);
        if (renewal && (country === null || renewal.country === country)) found.push(renewal);
        if (found.length > limit)
          return this.shown(
            caller,
            pageOf(found, limit, ({ subject: { id } }) => [id]),
          );
      }
      last = page.last;
    }
    return this.shown(caller, {
      data: found,
      nextCursor: last === null ? null : writeCursor([last]),
      hasMore: last !== null,
    });
  }

  private shown(caller: Reader, page: Page<SubjectRenewalDto>): Page<SubjectRenewalDto> {
    for (const { subject } of page.data) this.reads.note(caller, subject.id);
    return page;
  }

  private async renewal(
    { subjectId, state }: { subjectId: string; state: ConsentState },
    purpose: PurposeInForce,
    at: Instant,
  ): Promise<SubjectRenewalDto | null> {
    const consent = decisionOn(state, purpose.key);
    const { reason } = renewalOf(purpose, consent, at);
    if (reason === null) return null;
    const own = needsOwnCountry(state) ? openedCountry(state, await this.vault.cipherOf(subjectId)) : null;
    return {
      subject: { id: subjectId },
      reason,
      state: stateAt(consent, at),
      purposeVersion: consent!.purposeVersion,
      givenAt: consent!.givenAt,
      expiresAt: consent!.expiresAt,
      ...lastKnownPlace(state, own),
    };
  }

  private async reached(written: Position | null): Promise<void> {
    if (written === null) return;
    const reached = await Promise.all([
      this.progress.reached(written, OWN_WRITE_WAIT_MS),
      this.catalogue.reached(written, OWN_WRITE_WAIT_MS),
    ]);
    if (reached.includes(false)) throw new DependencyUnavailable('read model');
  }
}
