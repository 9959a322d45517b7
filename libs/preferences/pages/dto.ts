import { Text } from '../../http/contract/fields.js';

export class LinkQuery {
  @Text({
    description: 'The token of the link, as it was handed out.',
    example: 'cft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vIHRva2Vu',
    maxLength: 2048,
  })
  token!: string;
}
