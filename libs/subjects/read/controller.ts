import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { parseInstant } from '../../kernel/index.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import type { SubjectRead } from '../../access/index.js';
import { LIST_LIMIT_DEFAULT, paged, type Page } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import type { SubjectView } from '../view.js';
import { GetSubject } from './get-subject.handler.js';
import { ListSubjectReads } from './list-reads.handler.js';
import { ReadsQuery, type SubjectReadListDto } from '../reads.dto.js';

@Controller('v1/subjects')
export class SubjectsReadController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':ref')
  @Operation('getSubject')
  subject(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubjectView> {
    response.setHeader('Cache-Control', 'private, no-store');
    return this.queries.execute(new GetSubject(caller, ref));
  }

  @Get(':ref/reads')
  @Operation('listSubjectReads')
  async reads(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubjectReadListDto> {
    const { reader, from, to, limit = LIST_LIMIT_DEFAULT, cursor } = readQuery(ReadsQuery, request.originalUrl);
    const filter = {
      ...(reader !== undefined && { reader }),
      ...(from !== undefined && { from: parseInstant(from)! }),
      ...(to !== undefined && { to: parseInstant(to)! }),
    };
    const page = await this.queries.execute(new ListSubjectReads(caller, ref, filter, limit, cursor));
    response.setHeader('Cache-Control', 'private, no-store');
    paged(request, response, page);
    return shownReads(page);
  }
}

export const shownReads = (page: Page<SubjectRead>): SubjectReadListDto => ({
  ...page,
  data: page.data.map(({ subjectId, ...read }) => ({ subject: { id: subjectId }, ...read })),
});
