/** A method and a path template, `/v1/subjects/{ref}/consent`. */
export interface Route {
  method: string;
  path: string;
}

/** The methods that a path has, for `Allow`; empty where no route has this path. HEAD goes with GET. */
export function methodsOf(routes: readonly Route[], path: string): string[] {
  const segments = segmentsOf(path);
  const methods = new Set<string>();
  for (const route of routes) {
    if (!matches(segmentsOf(route.path), segments)) continue;
    methods.add(route.method.toUpperCase());
    if (route.method.toUpperCase() === 'GET') methods.add('HEAD');
  }
  return [...methods].sort();
}

/** The parameters of the routes at a path whose values there are no percent-encoded UTF-8. */
export function undecodableNames(routes: readonly Route[], path: string): string[] {
  const segments = segmentsOf(path);
  const at = routes.map((route) => segmentsOf(route.path)).filter((template) => matches(template, segments));
  return at.flatMap((template) =>
    template.flatMap((part, i) => (part.startsWith('{') && !isDecodable(segments[i]!) ? [part.slice(1, -1)] : [])),
  );
}

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

const segmentsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

const matches = (template: string[], path: string[]): boolean =>
  template.length === path.length &&
  template.every((part, i) => (part.startsWith('{') ? path[i] !== '' : part === path[i]));
