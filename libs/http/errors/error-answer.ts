import { ListOf, OneOf, Text, Whole } from '../contract/fields.js';
import { STATUS } from './status.js';

/** One offending place, as it is published. */
export class ErrorIssue {
  @Text({
    description: 'Where in the request: dotted, lists by index. Empty for the body as a whole.',
    maxLength: 1000,
    minLength: 0,
    example: 'records[3].purpose',
  })
  path!: string;
  @Text({ description: 'What is wrong there. Never repeats the value.', maxLength: 1000, example: 'is required' })
  message!: string;
}

/** The body of every error, as it is published. */
export class ErrorAnswer {
  @OneOf(Object.keys(STATUS), {
    description: 'Stable name of the error; program against this.',
    example: 'validation_failed',
  })
  code!: string;
  @Text({
    description: 'What went wrong, for a person.',
    maxLength: 1000,
    example: 'The request does not fit its declaration.',
  })
  message!: string;
  @Text({ description: 'How to fix it, concretely.', maxLength: 2000, example: 'Correct the places listed in issues.' })
  hint!: string;
  @ListOf(() => ErrorIssue, {
    description: 'Each fault with its place; empty where there are none to name.',
    maxItems: 20,
  })
  issues!: ErrorIssue[];
  @Text({
    description: 'Id of the request, as in X-Request-Id.',
    maxLength: 64,
    example: 'req_01KAJ5W7QF2M3N4P5R6S7T8V9W',
  })
  requestId!: string;
  @Text({
    description: 'Page about this error.',
    maxLength: 1000,
    format: 'uri',
    example: 'https://consent.example/docs/errors/validation_failed',
  })
  docUrl!: string;
}

/** The same as a problem document (RFC 9457), where the caller prefers application/problem+json. */
export class ErrorProblem extends ErrorAnswer {
  @Text({
    description: 'Same as docUrl.',
    maxLength: 1000,
    format: 'uri',
    example: 'https://consent.example/docs/errors/validation_failed',
  })
  type!: string;
  @Text({
    description: 'What the code means in general.',
    maxLength: 1000,
    example: 'The request does not fit its declaration.',
  })
  title!: string;
  @Whole({ description: 'HTTP status.', min: 400, max: 599, example: 422 })
  status!: number;
  @Text({ description: 'Same as message.', maxLength: 1000, example: 'The request does not fit its declaration.' })
  detail!: string;
}
