import { BY_ANYBODY, type OperationDeclaration } from '../../access/index.js';
import { Nested, OneOf, Text } from '../../http/contract/fields.js';

const ADDRESS = { maxLength: 2_000 } as const;

export class ServiceLinksDto {
  @Text({ description: 'Where every operation can be tried.', ...ADDRESS, example: 'https://consent.example.com/docs' })
  docs!: string;
  @Text({
    description: 'How to build it in, step by step.',
    ...ADDRESS,
    example: 'https://consent.example.com/docs/guides',
  })
  guides!: string;
  @Text({
    description: 'Every operation on one page.',
    ...ADDRESS,
    example: 'https://consent.example.com/docs/reference',
  })
  reference!: string;
  @Text({ description: 'Every error code.', ...ADDRESS, example: 'https://consent.example.com/docs/errors' })
  errors!: string;
  @Text({ description: 'This document.', ...ADDRESS, example: 'https://consent.example.com/openapi.json' })
  openapi!: string;
}

export class ServiceDto {
  @OneOf(['Assent'], { description: 'What this is.', example: 'Assent' }) name!: 'Assent';
  @Text({ description: 'Its release.', maxLength: 40, example: '0.1.0' }) version!: string;
  @OneOf(['ready', 'unavailable'], {
    description: 'Whether it takes requests at the moment. Probes ask `/readyz`, which says more.',
    example: 'ready',
  })
  status!: 'ready' | 'unavailable';
  @Nested(() => ServiceLinksDto, { description: 'Where to go on.' }) links!: ServiceLinksDto;
}

export const START_OPERATION: OperationDeclaration = {
  ...BY_ANYBODY,
  id: 'getService',
  path: '/',
  tag: 'Probes',
  summary: 'What this is',
  description:
    'Tells which service answers here, whether it takes requests, and where its documentation is. A browser, which asks for `text/html` first, gets the same as a page.',
  alsoPage: true,
  answers: [
    {
      status: 200,
      description: 'The service, ready or not.',
      contract: ServiceDto,
      example: {
        name: 'Assent',
        version: '0.1.0',
        status: 'ready',
        links: {
          docs: 'https://consent.example.com/docs',
          guides: 'https://consent.example.com/docs/guides',
          reference: 'https://consent.example.com/docs/reference',
          errors: 'https://consent.example.com/docs/errors',
          openapi: 'https://consent.example.com/openapi.json',
        },
      },
    },
  ],
  refusals: [],
};
