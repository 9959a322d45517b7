import { Controller, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { type Command, CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { parseIdempotencyKey } from '../../http/idempotency-key.js';
import type { Done } from '../../commands/once.js';
import { Operation } from '../../http/contract/operation.js';
import { formatPosition, LOG_POSITION_HEADER } from '../../http/position.js';
import { erasureReceipt, RECEIPT_SIGNER, type ErasureReceipt, type ReceiptSigner } from '../../receipts/index.js';
import type {
  AddIdentifierDto,
  CreateSubjectDto,
  EraseSubjectDto,
  LiftRestrictionDto,
  MergeSubjectsDto,
  RestrictSubjectDto,
  RevertMergeDto,
} from '../dto.js';
import type { SubjectView } from '../view.js';
import { AddIdentifier } from './add-identifier.handler.js';
import { CreateSubject } from './create-subject.handler.js';
import { EraseSubject } from './erase-subject.handler.js';
import { MergeSubjects } from './merge-subjects.handler.js';
import type { MergeAnswer } from './merger.js';
import type { RegisteredSubject } from './registrar.js';
import { LiftRestriction, RestrictSubject } from './restrict-subject.handler.js';
import { RevertMerge, type RevertAnswer } from './revert-merge.handler.js';

type Answered<T> = Done<T> & { replayed?: boolean };

@Controller('v1/subjects')
export class SubjectsWriteController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(RECEIPT_SIGNER) private readonly signer: ReceiptSigner,
  ) {}

  @Post()
  @Operation('createSubject')
  async create(
    @CallerOf() caller: Caller,
    @Input() input: CreateSubjectDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubjectView> {
    return registered(response, await this.carryOut(response, new CreateSubject(caller, input, keyOf(request))));
  }

  @Post('merge')
  @Operation('mergeSubjects')
  async merge(
    @CallerOf() caller: Caller,
    @Input() input: MergeSubjectsDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MergeAnswer> {
    response.status(200);
    return this.carryOut(response, new MergeSubjects(caller, input, keyOf(request)));
  }

  @Post('merge/:mergeId/revert')
  @Operation('revertMerge')
  async revert(
    @CallerOf() caller: Caller,
    @Param('mergeId') mergeId: string,
    @Input() input: RevertMergeDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RevertAnswer> {
    response.status(200);
    return this.carryOut(response, new RevertMerge(caller, mergeId, input, keyOf(request)));
  }

  @Post(':ref/identifiers')
  @Operation('addIdentifier')
  async add(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Input() input: AddIdentifierDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubjectView> {
    const done = await this.carryOut<RegisteredSubject>(
      response,
      new AddIdentifier(caller, ref, input, keyOf(request)),
    );
    response.status(response.getHeader(LOG_POSITION_HEADER) === undefined ? 200 : 201);
    return done.subject;
  }

  @Post(':ref/restrict')
  @Operation('restrictSubject')
  async restrict(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Input() input: RestrictSubjectDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubjectView> {
    response.status(200);
    return this.carryOut(response, new RestrictSubject(caller, ref, input, keyOf(request)));
  }

  @Post(':ref/lift-restriction')
  @Operation('liftRestriction')
  async lift(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Input() input: LiftRestrictionDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubjectView> {
    response.status(200);
    return this.carryOut(response, new LiftRestriction(caller, ref, input, keyOf(request)));
  }

  @Post(':ref/erase')
  @Operation('eraseSubject')
  async erase(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Input() input: EraseSubjectDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ receipt: ErasureReceipt; jws: string }> {
    const { rootId: subjectId, ...facts } = await this.carryOut(
      response,
      new EraseSubject(caller, ref, input, keyOf(request)),
    );
    const receipt = erasureReceipt({ ...facts, subjectId, site: caller.site, env: caller.env });
    response.status(200);
    return { receipt, jws: await this.signer.sign(caller.env, receipt, facts.erasedAt) };
  }

  private async carryOut<T>(response: Response, command: Command<Answered<T>>): Promise<T> {
    const { answer, position, replayed } = await this.commands.execute(command);
    if (position !== null) response.setHeader(LOG_POSITION_HEADER, formatPosition(position));
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return answer;
  }
}

const keyOf = (request: Request): string | null => parseIdempotencyKey(request.headers['idempotency-key']);

function registered(response: Response, { subject, created }: RegisteredSubject): SubjectView {
  response.status(created ? 201 : 200);
  return subject;
}
