import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CalledRequest, Caller } from '../../http/caller.js';

/** A request that changes something, as the guard let it through. */
export interface Call<T> {
  caller: Caller;
  /** The body, held against its contract. */
  input: T;
  request: Request;
  response: Response;
}

/** Injects all of it. */
export const CallOf = createParamDecorator((_: unknown, context: ExecutionContext): Call<unknown> => {
  const [request, response] = context.getArgs<[Request & CalledRequest, Response]>();
  return { caller: request.caller!, input: request.input ?? null, request, response };
});
