import type { DataRequestView } from '../view.js';

export type OwnRequest = Omit<DataRequestView, 'note' | 'notes' | 'assignee' | 'period'>;

/**
 * A request without the operators' notes, which may be about others, without the operator who works on it, and without the
 * rule that its dates follow from.
 */
export function ownRequest({
  note: _,
  notes: __,
  assignee: ___,
  period: ____,
  ...request
}: DataRequestView): OwnRequest {
  return request;
}

/** How an operator is named. */
export const OPERATOR = 'operator';

/** By which key it was read; of operators, that it was one of them: their names are theirs (CJEU C-579/21). */
export const ownReader = (reader: string): string => (reader.startsWith('key_') ? reader : OPERATOR);
