import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import { CallerOf, type Caller } from '../../platform/http/caller.js';
import { Operation } from '../../platform/http/operation.js';
import type { SubjectView } from '../view.js';
import { GetSubject } from './get-subject.handler.js';

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
}
