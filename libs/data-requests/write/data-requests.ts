import { Inject, Injectable } from '@nestjs/common';
import { isRefusal, type Refusal, type Scope } from '../../kernel/index.js';
import { familyOf, standingOf, type WholeState } from '../../subjects/index.js';
import { WHOLE_WRITER, type SubjectWriter } from '../../subjects/services.js';
import type { Download } from '../../http/answers/download.js';
import { ArchiveLinks, downloadOf } from '../archive/archive-links.js';
import { dataRequestRefusals } from '../refusals.js';
import type { RequestVerification } from '../events.js';
import type { ChangedRequest, DataRequests, OpenedRequest, RequestedBy, WantedRequest } from '../intake.js';
import { RequestViews } from '../request-views.js';
import { wasMadeUnder } from '../state.js';
import type { DataRequestView } from '../view.js';
import { Completions } from './completions.js';
import { RequestChanges, type RequestDone } from './request-changes.js';
import { RequestIndex } from './request-index.js';
import { RequestIntake } from './request-intake.js';

/** What other contexts do with data requests. */
@Injectable()
export class OpenDataRequests implements DataRequests {
  constructor(
    private readonly intake: RequestIntake,
    private readonly changes: RequestChanges,
    private readonly completions: Completions,
    private readonly index: RequestIndex,
    private readonly views: RequestViews,
    private readonly archives: ArchiveLinks,
    @Inject(WHOLE_WRITER) private readonly subjects: SubjectWriter<WholeState>,
  ) {}

  async open(scope: Scope, wanted: WantedRequest, by: RequestedBy): Promise<OpenedRequest | Refusal> {
    const [taken] = await this.intake.takeIn(scope, [{ wanted, key: by.key ?? null }], by);
    if (isRefusal(taken)) return taken;
    const { answer, position, replayed } = taken!;
    const { id, completing } = answer.request;
    if (!completing) return { ...answer, position, replayed };
    const done = await this.completions.settle(scope, id, by.actor);
    if (isRefusal(done)) return done;
    const request = (await this.get(scope, id)) ?? answer.request;
    return { ...answer, request, position: done?.position ?? position, replayed };
  }

  async verify(
    scope: Scope,
    requestId: string,
    method: RequestVerification,
    by: RequestedBy,
  ): Promise<ChangedRequest | Refusal> {
    return this.changed(await this.changes.change(scope, requestId, { type: 'verify', method }, actorOf(by)));
  }

  async cancel(scope: Scope, requestId: string, by: RequestedBy): Promise<ChangedRequest | Refusal> {
    const command = { type: 'cancel', reason: 'WITHDRAWN_BY_REQUESTER' } as const;
    return this.changed(await this.changes.change(scope, requestId, command, actorOf(by)));
  }

  async get(scope: Scope, requestId: string): Promise<DataRequestView | null> {
    const found = await this.views.find(scope, requestId);
    return found && this.views.of(found);
  }

  async listRequestsOf(scope: Scope, subjectId: string): Promise<DataRequestView[]> {
    const ids = await this.index.of(scope, await this.familyOf(scope, subjectId));
    const found = await Promise.all(ids.map((id) => this.views.find(scope, id)));
    return Promise.all(found.filter((each) => each !== null).map((each) => this.views.of(each)));
  }

  async fetchArchive(
    scope: Scope,
    requestId: string,
    subjectId: string,
    under: string | null,
  ): Promise<Download | Refusal> {
    const request = await this.views.find(scope, requestId);
    if (!request || !(await this.familyOf(scope, subjectId)).includes(request.subjectId))
      return dataRequestRefusals.notFound();
    if (!wasMadeUnder(request, under)) return dataRequestRefusals.notFound();
    if (request.effect?.kind !== 'ARCHIVE') return dataRequestRefusals.noArchive();
    const fetched = await this.archives.fetchDirectly(scope, requestId);
    return isRefusal(fetched) ? fetched : downloadOf(fetched);
  }

  private async familyOf(scope: Scope, subjectId: string): Promise<string[]> {
    const subject = await this.subjects.find(scope, { kind: 'subject', value: subjectId });
    return subject ? [subject.subjectId, ...familyOf(standingOf(subject.state))] : [subjectId];
  }

  private async changed(done: RequestDone | Refusal): Promise<ChangedRequest | Refusal> {
    return isRefusal(done) ? done : { request: await this.views.of(done.request), position: done.position };
  }
}

const actorOf = ({ key: _, ...by }: RequestedBy) => by;
