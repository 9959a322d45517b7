/** An RFC 7638 thumbprint that begins like an option, as one in 64 does. */
const LOOKS_LIKE_OPTIONS = /^-[A-Za-z0-9_-]{42}$/;

/** Moves ids of signing keys behind `--`, where the parser does not look for options. */
export function idsLast(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const named = end < 0 ? args : args.slice(0, end);
  const ids = named.filter((arg) => LOOKS_LIKE_OPTIONS.test(arg));
  if (ids.length === 0) return [...args];
  return [...named.filter((arg) => !ids.includes(arg)), '--', ...ids, ...(end < 0 ? [] : args.slice(end + 1))];
}
