import { refused } from './errors/refused.js';

/** How much the header wants a media type, 0 to 1 (RFC 9110 12.5.1): the most specific range that fits decides. */
export function quality(accept: string | undefined, type: string): number {
  if (accept === undefined || accept.trim() === '') return 1;
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  let best = { specific: -1, q: 0 };
  for (const range of accept.slice(0, 1024).split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const specific = name === type ? 2 : name === family ? 1 : name === '*/*' ? 0 : -1;
    if (specific <= best.specific) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const q = weight ? Number(weight.slice(2)) : 1;
    best = { specific, q: Number.isFinite(q) ? Math.min(Math.max(q, 0), 1) : 0 };
  }
  return best.q;
}

/** Refuses only where the caller rules out everything that is offered. Problem documents are JSON too. */
export function requireAcceptable(
  accept: string | undefined,
  offered: readonly string[] = ['application/json', 'application/problem+json'],
): void {
  if (!offered.some((type) => quality(accept, type) > 0)) throw refused('not_acceptable');
}

/** Whether an error is wanted as a problem document (RFC 9457) rather than as plain JSON. */
export const prefersProblem = (accept: string | undefined): boolean =>
  names(accept, 'application/problem+json') && prefers(accept, 'application/problem+json', 'application/json');

/** Whether a page is wanted rather than JSON: browsers name `text/html` first, programs do not name it at all. */
export const prefersPage = (accept: string | undefined): boolean =>
  names(accept, 'text/html') && prefers(accept, 'text/html', 'application/json');

const names = (accept: string | undefined, type: string): accept is string =>
  accept !== undefined && accept.toLowerCase().includes(type);

/** Of two types that are wanted equally, the one that stands first. */
function prefers(accept: string, type: string, other: string): boolean {
  const [wanted, instead] = [quality(accept, type), quality(accept, other)];
  return wanted > 0 && (wanted > instead || (wanted === instead && comesFirst(accept, type, other)));
}

function comesFirst(accept: string, type: string, other: string): boolean {
  const text = accept.toLowerCase();
  const place = text.indexOf(other);
  return place < 0 || text.indexOf(type) < place;
}
