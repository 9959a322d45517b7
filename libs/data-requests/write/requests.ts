import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { actorOf, byCaller, Commands, tellOfChange, type ChangedBy } from '../../commands/commands.js';
import { CLOCK, isRefusal, parseInstant, Refused, type Clock, type Refusal, type Scope } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { parseIdempotencyKey } from '../../http/idempotency-key.js';
import { formatPosition, LOG_POSITION_HEADER } from '../../http/position.js';
import { readReference } from '../../http/registered-kind.js';
import { keyScopeOf } from '../../commands/key-scope.js';
import { answered, type Repeatable } from '../../commands/once.js';
import { IdempotencyReservations, type RequestKey } from '../../commands/reservations.js';
import { readPlace } from '../../policy/services.js';
import { readCorrections } from '../corrections.js';
import type { RequestCommand } from '../decide.js';
import type { DataRequestDto, DataRequestPlanDto, IntakeDto } from '../dto.js';
import type { Correction } from '../events.js';
import type { WantedRequest } from '../intake.js';
import { dataRequestRefusals } from '../refusals.js';
import type {
  CancelDataRequestDto,
  CompleteDataRequestDto,
  NoteDataRequestDto,
  OpenDataRequestDto,
  OpenDataRequestsDto,
  PlanDataRequestDto,
} from '../request.dto.js';
import { RequestViews } from '../request-views.js';
import type { DataRequestView } from '../view.js';
import { Completions } from './completions.js';
import { RequestChanges, type RequestDone } from './request-changes.js';
import { RequestIntake, type IntakeItem, type Taken } from './request-intake.js';

/** A request over HTTP that changes something, as the guard let it through. */
export interface Call<T> {
  caller: Caller;
  /** The body, held against its contract. */
  input: T;
  request: Request;
  response: Response;
}

type Answer = DataRequestView & DataRequestDto;

/** What is asked over HTTP, with a secret key or by an operator, and what is answered. Throws Refused. */
@Injectable()
export class DataRequestCalls {
  constructor(
    private readonly intake: RequestIntake,
    private readonly changes: RequestChanges,
    private readonly completions: Completions,
    private readonly views: RequestViews,
    private readonly commands: Commands,
    private readonly reservations: IdempotencyReservations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async open({ caller, input, request, response }: Call<OpenDataRequestDto>): Promise<Answer> {
    const key = parseIdempotencyKey(request.headers['idempotency-key']);
    const item = this.itemOf(caller, input, (wanted) =>
      this.reservations.keyOf(keyScopeOf(caller, [wanted.subject]), key, 'POST', '/v1/data-requests', input),
    );
    if (isRefusal(item)) throw new Refused(item);
    const [taken] = await this.intake.takeIn(caller, [item], byCaller(caller));
    const { answer, position, replayed } = answered(taken!);
    tellOfChange(response, { position, replayed });
    response.status(answer.status === 'DUPLICATE' ? 200 : 201);
    return answer.request as Answer;
  }

  async openMany({ caller, input, request, response }: Call<OpenDataRequestsDto>): Promise<IntakeDto> {
    const key = parseIdempotencyKey(request.headers['idempotency-key']);
    const digest = key === null ? null : this.reservations.digestOf(keyScopeOf(caller, []), key);
    const items = input.requests.map((each, i) =>
      this.itemOf(caller, each, () => (digest === null ? null : this.itemKey(caller, digest, i, each))),
    );
    const sound = items.flatMap((item) => (isRefusal(item) ? [] : [item]));
    const taken = await this.intake.takeIn(caller, sound, byCaller(caller));
    const outcomes = items.map((item) => (isRefusal(item) ? item : taken[sound.indexOf(item)]!));
    const positions = outcomes.flatMap((each) => (isRefusal(each) || each.position === null ? [] : [each.position]));
    const last = positions.reduce<bigint | null>((max, each) => (max === null || each > max ? each : max), null);
    if (last !== null) response.setHeader(LOG_POSITION_HEADER, formatPosition(last));
    return intakeOf(outcomes);
  }

  /** Does it at most once under the key of the call. */
  async change(call: Call<unknown>, id: string, command: RequestCommand): Promise<Answer> {
    return this.carryOut(call, (doneBy) => this.changes.change(call.caller, id, command, doneBy));
  }

  async complete(call: Call<CompleteDataRequestDto | null>, id: string): Promise<Answer> {
    const { outcome = 'COMPLETED', note, corrections } = call.input ?? {};
    const read = corrections && correctionsBy(call.caller, corrections);
    if (isRefusal(read)) throw new Refused(read);
    const wanted = { outcome, ...(note !== undefined && { note }), ...(read && { corrections: read }) };
    return this.carryOut(call, (doneBy) => this.completions.complete(call.caller, id, wanted, doneBy));
  }

  async cancel(call: Call<CancelDataRequestDto | null>, id: string): Promise<Answer> {
    const { reason = 'WITHDRAWN_BY_REQUESTER', duplicateOf, note } = call.input ?? {};
    if (duplicateOf === undefined)
      return this.change(call, id, { type: 'cancel', reason, ...(note !== undefined && { note }) });
    const refused = await this.noDuplicate(call.caller, id, duplicateOf);
    if (refused) throw new Refused(refused);
    return this.change(call, id, { type: 'markDuplicate', duplicateOf });
  }

  async note(call: Call<NoteDataRequestDto>, id: string): Promise<Answer> {
    return this.change(call, id, { type: 'note', note: call.input.text, by: actorOf(call.caller) });
  }

  async plan({ caller, input }: Call<PlanDataRequestDto | null>, id: string): Promise<DataRequestPlanDto> {
    const request = await this.views.find(caller, id);
    if (!request) throw new Refused(dataRequestRefusals.notFound());
    const { type } = request;
    const wanted = input?.corrections && correctionsBy(caller, input.corrections);
    if (isRefusal(wanted)) throw new Refused(wanted);
    if (wanted && type !== 'RECTIFICATION') throw new Refused(dataRequestRefusals.correctionsNotTaken());
    const planned = await this.completions.plan(caller, request, actorOf(caller), wanted);
    const refused = isRefusal(planned) ? errorOf(planned) : null;
    const plan = isRefusal(planned) ? { kind: 'NONE' as const } : planned;
    const { kind, decisions = [], globalOptOut = false, corrections = [] } = plan;
    return { object: 'data_request_plan', id, type, kind, decisions, globalOptOut, corrections, refused };
  }

  private async carryOut(
    { caller, input, request, response }: Call<unknown>,
    work: (by: ChangedBy) => Promise<RequestDone | Refusal>,
  ): Promise<Answer> {
    const done = await this.commands.change<RequestDone>({ caller, input, request, response }, work);
    const at = done.events.at(-1)?.metadata.recordedAt ?? this.clock();
    return (await this.views.of(done.request, at)) as Answer;
  }

  private itemOf(
    caller: Caller,
    input: OpenDataRequestDto,
    keyOf: (wanted: WantedRequest) => RequestKey | null,
  ): IntakeItem | Refusal {
    const subject = readReference(input.subject, caller);
    if (isRefusal(subject)) return { ...subject, issues: [{ path: 'subject', message: subject.message }] };
    const { receivedAt, source = 'API', corrections, jurisdiction, ...rest } = input;
    const read = corrections && correctionsBy(caller, corrections);
    if (isRefusal(read)) return read;
    const place = jurisdiction && readPlace(jurisdiction, 'jurisdiction.');
    if (isRefusal(place)) return place;
    const wanted = {
      ...rest,
      ...(place && { jurisdiction: place }),
      ...(read && { corrections: read }),
      subject,
      source,
      ...(receivedAt !== undefined && { receivedAt: parseInstant(receivedAt)! }),
    } as WantedRequest;
    return { wanted, key: keyOf(wanted) };
  }

  private itemKey(scope: Scope, digest: string, index: number, item: OpenDataRequestDto): RequestKey {
    return {
      digest: this.reservations.itemDigest(scope, digest, index),
      fingerprint: this.reservations.fingerprintOf('POST', '/v1/data-requests', item),
    };
  }

  private async noDuplicate(scope: Scope, id: string, duplicateOf: string): Promise<Refusal | null> {
    const [own, other] = await Promise.all([this.views.find(scope, id), this.views.find(scope, duplicateOf)]);
    if (!own || id === duplicateOf) return null;
    return other?.type === own.type && other.subjectId === own.subjectId
      ? null
      : dataRequestRefusals.duplicateOfOther();
  }
}

const correctionsBy = (caller: Caller, sent: readonly Correction[]) =>
  readCorrections(sent, (text) => readReference(text, caller));

const errorOf = ({ code, message, hint, issues }: Refusal) => ({ code, message, hint, issues });

function intakeOf(outcomes: readonly (Repeatable<Taken> | Refusal)[]): IntakeDto {
  const results = outcomes.map((outcome, index) => {
    if (isRefusal(outcome)) return { index, status: 'REJECTED' as const, error: errorOf(outcome) };
    const { status, request } = outcome.answer;
    return { index, status: outcome.replayed ? ('REPLAYED' as const) : status, request: request as Answer };
  });
  const count = (status: string): number => results.filter((each) => each.status === status).length;
  return {
    object: 'data_request_intake',
    summary: {
      total: results.length,
      opened: count('OPENED'),
      duplicates: count('DUPLICATE'),
      replayed: count('REPLAYED'),
      rejected: count('REJECTED'),
    },
    results,
  };
}
