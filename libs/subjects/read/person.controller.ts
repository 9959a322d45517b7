import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { placeOf, readsByReader, SubjectReads, type ReadsPlace } from '../../access/index.js';
import { Database } from '../../engines/database/database.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { LIST_LIMIT_DEFAULT, paged, pageOf, readCursor } from '../../http/list.js';
import { readReference } from '../../http/registered-kind.js';
import { isRefusal, parseInstant, referenceText, Refused } from '../../kernel/index.js';
import type { FoundSubjectDto, LookUpSubjectDto } from '../dto.js';
import { ReadsQuery, type SubjectReadListDto } from '../reads.dto.js';
import { shownReads } from './controller.js';
import { GetSubject } from './get-subject.handler.js';

/** How operators find a person, and who looked. */
@Controller('admin/v1/sites/:site/:env')
export class PersonController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: SubjectReads,
    private readonly database: Database,
  ) {}

  @Post('subjects/lookup')
  @HttpCode(200)
  @Operation('lookUpSubject')
  async lookUp(
    @CallerOf() caller: Caller,
    @Input() { kind, value }: LookUpSubjectDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FoundSubjectDto> {
    const reference = readReference(`${kind}:${value}`, caller);
    if (isRefusal(reference)) throw new Refused(reference);
    response.setHeader('Cache-Control', 'private, no-store');
    const { id } = await this.queries.execute(new GetSubject(caller, referenceText(reference), 'value'));
    return { subject: { id } };
  }

  @Get('reads')
  @Operation('listReads')
  async list(
    @CallerOf() { site, env }: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubjectReadListDto> {
    const { reader = null, from, to, limit = LIST_LIMIT_DEFAULT, cursor } = readQuery(ReadsQuery, request.originalUrl);
    const after: ReadsPlace | null =
      cursor === undefined ? null : readCursor(cursor, ['string', 'string', 'string', 'string'] as const);
    // What this process noted a moment ago is among the answers.
    await this.reads.write();
    const found = await readsByReader(this.database, {
      site,
      env,
      reader,
      from: from === undefined ? null : parseInstant(from),
      to: to === undefined ? null : parseInstant(to),
      after,
      limit: limit + 1,
    });
    const page = pageOf(found, limit, placeOf);
    response.setHeader('Cache-Control', 'private, no-store');
    paged(request, response, page);
    return shownReads(page);
  }
}
