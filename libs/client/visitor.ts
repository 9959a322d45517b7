import type { Connection } from './sending/connection.js';
import { PermissionError, UsageError, type AssentError } from './errors.js';
import { forget, inPage, keep, kept, randomId } from './page.js';

/**
 * 403 for the visitor of this browser: the visitor was linked to a person, whom a public key alone does not reach. The
 * client has begun a new visitor: repeat the call for that one, or send an identity token of the person.
 */
export class VisitorLinkedError extends PermissionError {
  /** Reference of the new visitor. */
  readonly visitor: string;

  constructor(cause: AssentError, visitor: string) {
    super(
      {
        code: 'visitor_linked',
        message: 'This visitor is a person by now.',
        hint: `Ask again for ${visitor}, or send an identity token.`,
      },
      cause.status,
    );
    this.visitor = visitor;
    this.cause = cause;
  }
}

/**
 * Reference of this browser’s visitor, the same on every page of the origin, made at the first call. If the browser
 * stores nothing for the page, it lasts as long as the page. Throws a UsageError on servers, where all callers would
 * share it.
 */
export function visitor(connection: Connection): string {
  if (!inPage()) throw new UsageError({ code: 'no_browser', message: 'A server has no visitor.' });
  connection.explain = (error, asked) => linked(connection, error, asked);
  const id = kept(nameOf(connection)) ?? '';
  return ID.test(id) ? reference(id) : newVisitor(connection);
}

/**
 * Begins a new visitor and returns its reference. Call it at a logout, so that the next user of the browser is another
 * visitor.
 */
export function newVisitor(connection: Connection): string {
  const id = randomId();
  // If there is no room for the new one, the old one must not return on the next page.
  forget(nameOf(connection));
  keep(nameOf(connection), id);
  return reference(id);
}

/** If the visitor of this browser was linked to a person, begins a new one and reports it. */
function linked(connection: Connection, error: AssentError, asked: string): AssentError {
  const id = kept(nameOf(connection));
  const isRefused = error.code === 'identity_token_required' && id !== null && asked.includes(id);
  return isRefused ? new VisitorLinkedError(error, newVisitor(connection)) : error;
}

/** Checked, because another script may have written what pages share. */
const ID = /^[\w-]{16,128}$/;
const nameOf = ({ name }: Connection): string => `${name}.visitor`;
const reference = (id: string): string => `visitor_id:${id}`;
