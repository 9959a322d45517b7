import { createParamDecorator, Controller, HttpCode, Param, Post, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CalledRequest } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import type { DataRequestDto, DataRequestPlanDto, IntakeDto } from '../dto.js';
import type {
  AssignDataRequestDto,
  CancelDataRequestDto,
  CompleteDataRequestDto,
  ExtendDataRequestDto,
  HoldDataRequestDto,
  NoteDataRequestDto,
  OpenDataRequestDto,
  OpenDataRequestsDto,
  PlanDataRequestDto,
  RejectDataRequestDto,
  VerifyDataRequestDto,
} from '../request.dto.js';
import { DataRequestCalls, type Call } from './requests.js';

/** Injects all of a request that changes something. */
const CallOf = createParamDecorator((_: unknown, context: ExecutionContext): Call<unknown> => {
  const [request, response] = context.getArgs<[Request & CalledRequest, Response]>();
  return { caller: request.caller!, input: request.input ?? null, request, response };
});

/** Without members that were not sent. */
const said = <T extends object>(input: T | null): T => (input ?? {}) as T;

/** Requests of the site and environment of the caller. */
@Controller('v1/data-requests')
export class DataRequestsController {
  constructor(private readonly calls: DataRequestCalls) {}

  @Post()
  @HttpCode(201)
  @Operation('openDataRequest')
  open(@CallOf() call: Call<OpenDataRequestDto>): Promise<DataRequestDto> {
    return this.calls.open(call);
  }

  @Post('batch')
  @HttpCode(200)
  @Operation('openDataRequests')
  openMany(@CallOf() call: Call<OpenDataRequestsDto>): Promise<IntakeDto> {
    return this.calls.openMany(call);
  }

  @Post(':id/plan')
  @HttpCode(200)
  @Operation('planDataRequest')
  plan(@CallOf() call: Call<PlanDataRequestDto | null>, @Param('id') id: string): Promise<DataRequestPlanDto> {
    return this.calls.plan(call, id);
  }

  @Post(':id/verify')
  @HttpCode(200)
  @Operation('verifyDataRequest')
  verify(@CallOf() call: Call<VerifyDataRequestDto | null>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.change(call, id, { type: 'verify', method: 'OPERATOR', ...said(call.input) });
  }

  @Post(':id/start')
  @HttpCode(200)
  @Operation('startDataRequest')
  start(@CallOf() call: Call<null>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.change(call, id, { type: 'start' });
  }

  @Post(':id/hold')
  @HttpCode(200)
  @Operation('holdDataRequest')
  hold(@CallOf() call: Call<HoldDataRequestDto>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.change(call, id, { type: 'hold', ...call.input });
  }

  @Post(':id/resume')
  @HttpCode(200)
  @Operation('resumeDataRequest')
  resume(@CallOf() call: Call<null>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.change(call, id, { type: 'resume' });
  }

  @Post(':id/extend')
  @HttpCode(200)
  @Operation('extendDataRequest')
  extend(@CallOf() call: Call<ExtendDataRequestDto | null>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.change(call, id, { type: 'extend', ...said(call.input) });
  }

  @Post(':id/complete')
  @HttpCode(200)
  @Operation('completeDataRequest')
  complete(@CallOf() call: Call<CompleteDataRequestDto | null>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.complete(call, id);
  }

  @Post(':id/reject')
  @HttpCode(200)
  @Operation('rejectDataRequest')
  reject(@CallOf() call: Call<RejectDataRequestDto>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.change(call, id, { type: 'reject', ...call.input });
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Operation('cancelDataRequest')
  cancel(@CallOf() call: Call<CancelDataRequestDto | null>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.cancel(call, id);
  }

  @Post(':id/assign')
  @HttpCode(200)
  @Operation('assignDataRequest')
  assign(@CallOf() call: Call<AssignDataRequestDto>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.change(call, id, { type: 'assign', ...call.input });
  }

  @Post(':id/notes')
  @HttpCode(200)
  @Operation('noteDataRequest')
  note(@CallOf() call: Call<NoteDataRequestDto>, @Param('id') id: string): Promise<DataRequestDto> {
    return this.calls.note(call, id);
  }
}
