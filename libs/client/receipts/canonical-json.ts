/**
 * RFC 8785 (JCS), the one byte form of a JSON value; null if there is none: lone surrogates, NaN, infinities, and
 * values that are not JSON.
 */
export function canonicalJson(value: unknown): string | null {
  try {
    return written(value);
  } catch {
    return null;
  }
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    // `sort` compares UTF-16 units, as RFC 8785 demands.
    const names = Object.keys(members).filter((name) => members[name] !== undefined);
    return `{${names
      .sort()
      .map((name) => `${written(name)}:${written(members[name])}`)
      .join(',')}}`;
  }
  // Throws on a lone surrogate.
  if (typeof value === 'string') encodeURIComponent(value);
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || (typeof value === 'number' && !Number.isFinite(value))) throw new TypeError('no JSON');
  return text;
}
