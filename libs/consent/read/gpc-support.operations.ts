import { BY_ANYBODY, type OperationDeclaration } from '../../access/index.js';
import { Flag, Text } from '../../http/contract/fields.js';

/** Since when this holds of the service as it is; change it with what the service makes of the signal. */
export const GPC_SUPPORT = { gpc: true, lastUpdate: '2026-11-27' } as const;

export class GpcSupportDto {
  @Flag({ description: 'That the signal is honoured where the law demands it.', example: true }) gpc!: boolean;
  @Text({
    description: 'Since when this holds: a date.',
    example: GPC_SUPPORT.lastUpdate,
    maxLength: 10,
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    patternHint: 'a date such as 2026-11-27',
  })
  lastUpdate!: string;
}

export const GPC_SUPPORT_OPERATION: OperationDeclaration = {
  ...BY_ANYBODY,
  id: 'getGpcSupport',
  path: '/.well-known/gpc.json',
  tag: 'Consent',
  summary: 'That Global Privacy Control is honoured',
  description:
    'The GPC Support Resource of the W3C text, for the address of this service: `Sec-GPC` is read with every request of a page, kept with what the page records, and counts as a refusal where the policy of the place says that it binds. A site has one of its own, under its own address. Readable from every origin, without a key.',
  answers: [{ status: 200, description: 'The statement.', contract: GpcSupportDto, example: GPC_SUPPORT }],
  refusals: [],
};
