/** A path with these query parameters. Leaves undefined ones out; repeats the name for a list. */
export function address(path: string, query: object): string {
  for (const [name, value] of Object.entries(query) as [string, unknown][])
    for (const one of value === undefined ? [] : [value].flat())
      path += `${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(String(one))}`;
  return path;
}

/** The path of a subject, or of a part of it. `reference`: `<kind>:<value>`. */
export const subjectPath = (reference: string, rest: string): string =>
  `/v1/subjects/${encodeURIComponent(reference)}${rest}`;
