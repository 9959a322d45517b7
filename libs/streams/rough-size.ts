/** About how much memory a JSON value takes, in bytes: what a bound on memory needs to know, and no more. */
export function roughSize(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) return value.reduce<number>((size, element) => size + 8 + roughSize(element), 32);
  if (value instanceof Map) return roughSize([...value.entries()]);
  return Object.values(value).reduce<number>((size, member) => size + 16 + roughSize(member), 48);
}
