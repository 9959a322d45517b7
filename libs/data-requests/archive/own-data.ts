import type { DataRequestView } from '../view.js';

/** A request without the operator's notes, which may be about others. */
export function ownRequest({ note: _, ...request }: DataRequestView): Omit<DataRequestView, 'note'> {
  return request;
}

/** How an operator is named. */
export const OPERATOR = 'operator';

/** By which key it was read; of operators, that it was one of them: their names are theirs (CJEU C-579/21). */
export const ownReader = (reader: string): string => (reader.startsWith('key_') ? reader : OPERATOR);
