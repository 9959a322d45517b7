/**
 * Calls `next` with a value: at once where the value is there, after a promise where it is one. An `await` costs a promise
 * and a turn of the queue in both cases. A request passes a dozen, which was a tenth of a short answer.
 */
export const proceed = <A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> =>
  value instanceof Promise ? value.then(next) : next(value);
