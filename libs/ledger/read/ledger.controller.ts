import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SubjectReads } from '../../access/index.js';
import type { ReceiptSource } from '../../context/receipt-source.js';
import type { EventPlace } from '../../following/projections/event-index.js';
import { isId, type Position } from '../../kernel/index.js';
import { quality } from '../../http/accept.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { invalid, refused } from '../../http/errors/refused.js';
import { RECEIPT_PLACES } from '../../receipts/index.js';
import { Ledger } from '../ledger.js';
import { tlogProof } from '../note.js';
import { RecordProofs } from '../record-proofs.js';
import { LedgerConsistencyQuery, LedgerProofQuery, type LedgerConsistencyDto, type LedgerProofDto } from './dto.js';
import { answerCheckpoint, answerTile, TEXT } from './shown-tree.js';

/** The ledger of the caller's own site and environment. */
@Controller('v1/ledger')
export class LedgerController {
  constructor(
    private readonly ledger: Ledger,
    private readonly proofs: RecordProofs,
    @Inject(RECEIPT_PLACES) private readonly receipts: Pick<ReceiptSource, 'place'>,
    private readonly reads: SubjectReads,
  ) {}

  @Get('checkpoint')
  @Operation('getLedgerCheckpoint')
  checkpoint(@CallerOf() caller: Caller, @Res() response: Response): Promise<void> {
    return answerCheckpoint(this.ledger, caller, response);
  }

  @Get('proof')
  @Operation('getLedgerProof')
  async proof(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LedgerProofDto | string> {
    const { receipt } = readQuery(LedgerProofQuery, request.originalUrl);
    const after = positionIn(request.headers);
    const place = await this.placeOf(caller, receipt, after);
    this.reads.note(caller, place.subjectId);
    const { index, leafHash, entry, opening, hashes, checkpoint } = await this.proofs.of(place);
    response.vary('Accept');
    response.setHeader('Cache-Control', 'private, no-store');
    if (prefersText(request.headers.accept)) {
      response.setHeader('Content-Type', TEXT);
      return tlogProof(index, hashes, checkpoint.note);
    }
    return {
      leafIndex: index,
      leafHash: leafHash.toString('base64'),
      entry: entry.toString('base64'),
      opening: opening && { salt: opening.salt.toString('base64'), record: opening.record },
      treeSize: checkpoint.size,
      rootHash: checkpoint.root.toString('base64'),
      hashes: hashes.map((each) => each.toString('base64')),
      checkpoint: checkpoint.note,
    };
  }

  @Get('consistency')
  @Operation('getLedgerConsistency')
  async consistency(@CallerOf() caller: Caller, @Req() request: Request): Promise<LedgerConsistencyDto> {
    const { from, to } = readQuery(LedgerConsistencyQuery, request.originalUrl);
    if (from > to) throw invalid([{ path: 'from', message: 'must not be larger than to' }]);
    const size = await this.ledger.size(caller);
    if (to > size)
      throw invalid([{ path: 'to', message: `must not be larger than the tree, which has ${size} leaves` }]);
    const hashes = await this.ledger.proveGrowth(caller, from, to);
    return { from, to, hashes: hashes.map((each) => each.toString('base64')) };
  }

  @Get('tile/:level/*tile')
  @Operation('getLedgerTile')
  tile(
    @CallerOf() caller: Caller,
    @Param('level') level: string,
    @Param('tile') tile: string | string[],
    @Res() response: Response,
  ): Promise<void> {
    return answerTile(this.ledger, caller, level, tile, response, 'private');
  }

  private async placeOf(caller: Caller, receiptId: string, after: Position | null): Promise<EventPlace> {
    const place = isId('rct', receiptId) ? await this.receipts.place(receiptId, after) : null;
    if (!place || place.site !== caller.site || place.env !== caller.env) throw refused('receipt_not_found');
    return place;
  }
}

/** Only where it is named: `*` means JSON. */
const prefersText = (accept: string | undefined): boolean =>
  accept !== undefined &&
  accept.toLowerCase().includes('text/plain') &&
  quality(accept, 'text/plain') > 0 &&
  quality(accept, 'text/plain') >= quality(accept, 'application/json');
