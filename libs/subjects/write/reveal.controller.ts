import { randomUUID } from 'node:crypto';
import { Controller, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SubjectReads } from '../../access/index.js';
import { byCaller } from '../../commands/commands.js';
import { eventMetadata } from '../../commands/event-metadata.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { CLOCK, isId, isRefusal, refusal, Refused, type Clock } from '../../kernel/index.js';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { Codec } from '../../streams/codec.js';
import type { StreamFold } from '../../streams/stream-fold.js';
import { Stream } from '../../streams/stream.js';
import type { RevealIdentifiersDto } from '../dto.js';
import { REVEALS_STREAM, type IdentifiersRevealed } from '../events.js';
import { SubjectLookup } from '../lookup.js';
import { subjectRefusals } from '../refusals.js';
import type { SubjectView } from '../view.js';

/** An empty fold: the stream is only appended to. */
const REVEALS_FOLD: StreamFold<null, IdentifiersRevealed> = {
  on: [],
  initial: () => null,
  evolve: () => null,
  contended: () => refusal('state_conflict', 'Others reveal at the same time.', 'Try again.'),
};

/** Identifiers in clear, for an operator who says why. */
@Controller('admin/v1/sites/:site/:env/subjects')
export class RevealController {
  private readonly reveals: Stream<null, IdentifiersRevealed>;

  constructor(
    private readonly lookup: SubjectLookup,
    private readonly reads: SubjectReads,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(EVENT_LOG) log: EventLog,
    codec: Codec,
  ) {
    this.reveals = new Stream(log, codec, REVEALS_FOLD);
  }

  @Post(':id/reveal')
  @HttpCode(200)
  @Operation('revealIdentifiers')
  async reveal(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Input() { reason }: RevealIdentifiersDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubjectView> {
    const subject = isId('sub', id) ? await this.lookup.view(caller, id) : null;
    if (!subject || subject.createdAt === null) throw new Refused(subjectRefusals.notFound('id'));
    await this.record(caller, id, reason);
    this.reads.note(caller, id);
    response.setHeader('Cache-Control', 'private, no-store');
    return subject;
  }

  /** Before anything is shown. Throws Refused where it cannot be recorded. */
  private async record(caller: Caller, subjectId: string, reason: string): Promise<void> {
    const at = this.clock();
    const intent = {
      event: { type: 'IdentifiersRevealed', data: { subjectId, reason, at } },
      id: randomUUID(),
      metadata: eventMetadata({ ...byCaller(caller), at }),
    };
    const recorded = await this.reveals.execute(`${REVEALS_STREAM}-${caller.site}.${caller.env}`, undefined, () => ({
      append: [intent],
      answer: () => null,
    }));
    if (isRefusal(recorded)) throw new Refused(recorded);
  }
}
