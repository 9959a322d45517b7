import { Inject, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { ReceiptSource, UnsignedReceipt } from '../../context/receipt-source.js';
import type { EventPlace } from '../../following/projections/event-index.js';
import type { Position } from '../../kernel/index.js';
import { RECEIPT_SOURCES } from '../receipt-access.js';

/** The receipts of all contexts, as if one had them all. */
@Injectable()
export class ReceiptSources implements ReceiptSource {
  constructor(
    private readonly modules: ModuleRef,
    @Inject(RECEIPT_SOURCES) private readonly sources: readonly Type<ReceiptSource>[],
  ) {}

  receipt(receiptId: string, after: Position | null): Promise<UnsignedReceipt | null> {
    return this.firstOf((source) => source.receipt(receiptId, after));
  }

  place(receiptId: string, after: Position | null): Promise<EventPlace | null> {
    return this.firstOf((source) => source.place(receiptId, after));
  }

  /** Whichever context has it answers; the others are not waited for. */
  private async firstOf<T>(ask: (source: ReceiptSource) => Promise<T | null>): Promise<T | null> {
    const failures: unknown[] = [];
    const looking = this.sources.map(async (source) => {
      const found = await ask(this.modules.get(source, { strict: false })).catch(
        (error: unknown) => void failures.push(error),
      );
      return found ?? Promise.reject(new Error('not here'));
    });
    return Promise.any(looking).catch(() => {
      // One that could not look might have had it.
      if (failures.length > 0) throw failures[0];
      return null;
    });
  }
}
