import { Flag, OneOf, Text, Timestamp } from '../http/contract/fields.js';
import { ListQuery } from '../http/list.js';
import { OPERATOR_ID } from './request.dto.js';
import { DATA_REQUEST_STATES, DATA_REQUEST_TYPES, type DataRequestStateName, type DataRequestType } from './events.js';

/** `OPEN` stands for every state in which a request still waits for an operator or the requester. */
export const LISTED_STATES = [...DATA_REQUEST_STATES, 'OPEN'] as const;
export const LIST_ORDERS = ['DUE', 'NEWEST'] as const;

export class DataRequestListQuery extends ListQuery {
  @OneOf(LISTED_STATES, {
    description: 'Only requests in this state; `OPEN`: all that still wait for an operator or the requester.',
    example: 'OPEN',
    optional: true,
  })
  state?: DataRequestStateName | 'OPEN';
  @OneOf(DATA_REQUEST_TYPES, { description: 'Only requests of this type.', example: 'ACCESS', optional: true })
  type?: DataRequestType;
  @Text({
    description: 'Only requests about this subject and those that were merged into it: `<kind>:<value>`.',
    example: 'email:ada@example.org',
    maxLength: 800,
    optional: true,
  })
  subject?: string;
  @Text({
    description: 'Only requests that this operator works on; `NONE`: those that none does.',
    ...OPERATOR_ID,
    pattern: '^(NONE|op[rt]_[A-Za-z0-9]{1,26})$',
    patternHint: 'the id of an operator, or NONE',
    optional: true,
  })
  assignee?: string;
  @Timestamp({ description: 'Only requests that are due before then.', optional: true }) dueBefore?: string;
  @Flag({
    description: '`true`: only open requests that should have been answered; `false`: all others.',
    example: true,
    optional: true,
  })
  overdue?: boolean;
  @OneOf(LIST_ORDERS, {
    description: '`DUE`: by due date, those without one last. `NEWEST`: the newest first.',
    example: 'DUE',
    default: 'DUE',
    optional: true,
  })
  order?: (typeof LIST_ORDERS)[number];
}
