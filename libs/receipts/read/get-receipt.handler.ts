import { Inject } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SubjectReads } from '../../access/index.js';
import type { UnsignedReceipt } from '../../context/receipt-source.js';
import { isId, type Instant, type Position } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';
import { invalid, refused } from '../../http/errors/refused.js';
import { RECEIPT_HOLDERS, RECEIPT_TOKENS, type ReceiptHolders, type ReceiptTokens } from '../receipt-access.js';
import { RECEIPT_SIGNER, type ReceiptSigner } from '../receipt-signer.js';
import type { ReceiptFormat } from './dto.js';
import { ReceiptSources } from './receipt-sources.js';

/** One receipt, signed. */
export class GetReceipt extends Query<SignedReceipt> {
  constructor(
    readonly caller: Caller,
    readonly receiptId: string,
    /** The capability from the answer to the write. */
    readonly token: string | undefined,
    readonly format: ReceiptFormat,
    /** The caller's own last write. */
    readonly after: Position | null,
  ) {
    super();
  }
}

export interface SignedReceipt {
  receipt: object;
  jws: string;
  /** Null where the subject was not erased. */
  subjectErasedAt: Instant | null;
}

@QueryHandler(GetReceipt)
export class GetReceiptHandler implements IQueryHandler<GetReceipt> {
  constructor(
    private readonly modules: ModuleRef,
    private readonly sources: ReceiptSources,
    @Inject(RECEIPT_TOKENS) private readonly tokens: ReceiptTokens,
    @Inject(RECEIPT_SIGNER) private readonly signer: ReceiptSigner,
    private readonly reads: SubjectReads,
  ) {}

  async execute({ caller, receiptId, token, format, after }: GetReceipt): Promise<SignedReceipt> {
    // Decided from the id alone, before anything is looked up: a caller who guesses tokens learns nothing of what exists.
    if (!isId('rct', receiptId) || (token !== undefined && !this.tokens.opens(token, receiptId)))
      throw refused('receipt_not_found');
    const told = await this.sources.receipt(receiptId, after);
    if (!told || (token === undefined && !(await this.isFor(caller, told)))) throw refused('receipt_not_found');
    this.reads.note(caller, told.subjectId);
    const receipt = format === 'kantara' ? told.kantara : told.receipt;
    if (!receipt) throw invalid([{ path: 'format', message: 'must be left out: this receipt is about no consent' }]);
    const jws = await this.signer.sign(told.env, receipt, told.recordedAt);
    return { receipt, jws, subjectErasedAt: told.subjectErasedAt };
  }

  /** A secret key and an operator reach what is of its site and environment; a public key what is of the person who is vouched for. */
  private async isFor(caller: Caller, { site, env, subjectId }: UnsignedReceipt): Promise<boolean> {
    if (caller.site !== site || caller.env !== env) return false;
    if (caller.kind === 'sk' || caller.kind === 'operator') return true;
    if (caller.identity === null) return false;
    const holders = this.modules.get<ReceiptHolders>(RECEIPT_HOLDERS, { strict: false });
    return holders.holds(caller, caller.identity.reference, subjectId);
  }
}
