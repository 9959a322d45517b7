/** A path with more in its query. What is undefined is left out; a list repeats its name. */
export function address(path: string, query: object): string {
  for (const [name, value] of Object.entries(query) as [string, unknown][])
    for (const one of value === undefined ? [] : [value].flat())
      path += `${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(String(one))}`;
  return path;
}

/** The path of a subject, or of what belongs to it. `reference`: `<kind>:<value>`. */
export const subjectPath = (reference: string, rest: string): string =>
  `/v1/subjects/${encodeURIComponent(reference)}${rest}`;
