import type { Express } from 'express';

/** What the router does not show of a route: whether a path is one of its own. */
interface Layer {
  match: (path: string) => object | false;
}

/** What path-to-regexp reads as more than itself begins with one of these. */
const SPECIAL = /[{}()[\]+?!:*\\]/;

/**
 * The router tries one regular expression after the other until one fits, so that an operation costs more the later it is
 * declared: with eighty routes up to 4 µs, a tenth of a 304. From now on a route is tried only for paths that begin
 * with what stands before its first parameter. Which route answers a path stays as it is.
 */
export function tryByPrefix({ router }: Express): void {
  const declare = router.route.bind(router);
  router.route = (path: string): ReturnType<typeof declare> => {
    const route = declare(path);
    const layer = router.stack.at(-1) as unknown as Layer;
    const prefix = literalStart(path);
    const match = layer.match.bind(layer);
    layer.match = (asked) => asked.startsWith(prefix) && match(asked);
    return route;
  };
}

/** A slash at the end of a route is optional in what is asked for. */
function literalStart(path: unknown): string {
  if (typeof path !== 'string') return '';
  const end = path.search(SPECIAL);
  return end < 0 ? path.replace(/\/+$/, '') : path.slice(0, end);
}
