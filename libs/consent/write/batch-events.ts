import { defineEvent } from '../../streams/codec.js';
import type { DomainEvent, Refusal } from '../../kernel/index.js';
import type { BatchMode } from './dto.js';

/** What became of one item: where its record stands, or why there is none. */
export type BatchItemKept =
  | { status: 'RECORDED' | 'REPLAYED'; subjectId: string; revision: number }
  | { status: 'REJECTED'; error: Omit<Refusal, 'refused'> }
  | { status: 'NOT_APPLIED' };

/** A whole batch was answered; kept so that repeating it gives the first answer again. Holds nothing personal. */
export type BatchCompleted = DomainEvent<'BatchCompleted', { mode: BatchMode; results: BatchItemKept[] }>;

export const BATCH_EVENTS = [defineEvent({ type: 'BatchCompleted', version: 1, personal: [] })];
