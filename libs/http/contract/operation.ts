import { SetMetadata, type CustomDecorator } from '@nestjs/common';

/** A class whose fields were declared with the decorators of `fields.ts`: the contract of one JSON object. */
export type Contract = abstract new (...args: never[]) => object;

/** How an operation is described to users; its access rules stand beside it in the declaration of the operation. */
export interface OperationDocument {
  /** Name of the operation in the table, `recordConsent`; the OpenAPI operationId. */
  id: string;
  tag: string;
  summary: string;
  description: string;
  /** Query and header parameters, each field of the class one parameter. Path parameters are found in the path. */
  query?: Contract;
  headers?: { name: string; description: string; required: boolean; example: string }[];
  pathParameters?: Record<string, { description: string; example: string }>;
  /** `optional`: the body may be left out, for no input. `tokenOnly`: only its token is read, in any form. */
  body?: { contract: Contract; examples: Record<string, unknown>; optional?: true; tokenOnly?: true };
  answers: {
    status: number;
    description: string;
    contract?: Contract;
    /** For answers that are not one of our JSON objects. */
    mediaType?: string;
    headers?: Record<string, string>;
    example?: unknown;
  }[];
  /** The answer is a page for people, and so are its errors. */
  page?: true;
  /** The answer is JSON, for browsers a page; so are its errors. */
  alsoPage?: true;
  /** Every error code it can answer, besides those of all operations (request shape, keys, limits, 500, 503). */
  refusals: readonly string[];
}

/** The part of an operation's entry in the operation table that its documentation needs. */
export interface AccessEntry {
  id: string;
  method: string;
  /** `/v1/subjects/{ref}/consent` */
  path: string;
  /** Id of the operation that says all about it: this one is the same for operators. */
  twinOf?: string;
  keys: readonly ('pk' | 'sk' | 'operator' | 'none')[];
  scope: string | null;
  /** Of operators who may call it, besides ADMIN. */
  roles?: readonly string[];
  /** Where the request names a subject; absent: a path with `{ref}` names one. */
  subject?: object | null;
  /** Bytes. */
  bodyLimit?: number;
  tooLarge?: 'batch_too_large';
  /** A query parameter with which no key is needed. */
  byCapability?: string;
  /** Takes forms of browsers; its errors are pages then. */
  byLink?: true;
  limited?: boolean;
}
export type DocumentedOperation = AccessEntry & OperationDocument;

export const aboutSubject = ({ subject, path }: AccessEntry): boolean =>
  subject !== undefined ? subject !== null : path.includes('{ref}');

/** Ties a controller method to its entry in the operation table. A handler without it is refused. */
export const OPERATION = 'assent:operation';
export const Operation = (id: string): CustomDecorator => SetMetadata(OPERATION, id);
