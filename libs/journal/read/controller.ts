import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { placesOf, TO_READ_JOURNAL } from '../../context/roles.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { invalid } from '../../http/errors/refused.js';
import { LIST_LIMIT_DEFAULT, paged, readCursor, writeCursor } from '../../http/list.js';
import { positionIn } from '../../http/position.js';
import { parseInstant, type Instant } from '../../kernel/index.js';
import { JournalQuery, type JournalDto } from '../dto.js';
import { GetJournal } from './get-journal.handler.js';
import type { JournalPlace } from './pages.js';

@Controller('admin/v1/journal')
export class JournalController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('getJournal')
  async journal(
    @CallerOf() { roles = [] }: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JournalDto> {
    const query = readQuery(JournalQuery, request.originalUrl);
    const { operator = null, site = null, env = null, action = null, limit = LIST_LIMIT_DEFAULT, cursor } = query;
    const [from, to] = [instantIn(query.from), instantIn(query.to)];
    const wanted = { operator, site, env, action, from, to, places: placesOf(roles, TO_READ_JOURNAL) };
    const after = cursor === undefined ? null : placeIn(cursor);
    const { entries, next } = await this.queries.execute(
      new GetJournal(wanted, after, limit, positionIn(request.headers)),
    );
    const nextCursor = next && writeCursor([next.at, next.source, next.key]);
    return paged(request, response, { data: entries, nextCursor, hasMore: next !== null });
  }
}

const instantIn = (text: string | undefined): Instant | null => (text === undefined ? null : parseInstant(text));

function placeIn(cursor: string): JournalPlace {
  const [at, source, key] = readCursor(cursor, ['string', 'number', 'string'] as const);
  if (parseInstant(at) === null) throw invalid([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  return { at, source, key };
}
