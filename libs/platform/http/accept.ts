import { refused } from './refused.js';

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
export function prefersProblem(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes('application/problem+json')) return false;
  const problem = quality(accept, 'application/problem+json');
  return (
    problem > 0 &&
    problem >= quality(accept, 'application/json') &&
    (problem > quality(accept, 'application/json') || comesFirst(accept))
  );
}

const comesFirst = (accept: string): boolean => {
  const text = accept.toLowerCase();
  const plain = text.indexOf('application/json');
  return plain < 0 || text.indexOf('application/problem+json') < plain;
};
