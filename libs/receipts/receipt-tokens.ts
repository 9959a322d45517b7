import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MasterKey } from '../vault/master-key.js';
import type { ReceiptTokens } from './receipt-access.js';

const PREFIX = 'rpt_';
const TOKEN = /^rpt_[A-Za-z0-9_-]{43}$/;

/** Capabilities derived from the master key: stored nowhere, the same for the same receipt, and they outlive its rotation. */
@Injectable()
export class DerivedReceiptTokens implements ReceiptTokens {
  constructor(private readonly master: MasterKey) {}

  of(receiptId: string): string {
    return PREFIX + this.master.receiptSecret(receiptId).toString('base64url');
  }

  opens(token: string, receiptId: string): boolean {
    return TOKEN.test(token) && timingSafeEqual(Buffer.from(token), Buffer.from(this.of(receiptId)));
  }
}
