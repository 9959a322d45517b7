import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Refused, type Position, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import { noticeOf, type Notice } from '../notices/notice.js';
import { catalogueRefusals } from '../refusals.js';
import { OWN_WRITE_WAIT_MS } from './exchange.js';

export class GetNotice extends Query<Notice> {
  constructor(
    readonly scope: Scope,
    readonly hash: string,
    readonly after: Position | null,
  ) {
    super();
  }
}

@QueryHandler(GetNotice)
export class GetNoticeHandler implements IQueryHandler<GetNotice> {
  constructor(@Inject(CATALOGUE) private readonly catalogue: Catalogue) {}

  async execute({ scope, hash, after }: GetNotice): Promise<Notice> {
    if (after !== null && !(await this.catalogue.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const notice = noticeOf(this.catalogue.of(scope), hash);
    if (!notice) throw new Refused(catalogueRefusals.noticeNotFound());
    return notice;
  }
}
