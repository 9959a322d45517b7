import type { DocumentedOperation } from '../http/contract/operation.js';
import type { OperationDeclaration } from '../context/operations.js';

/**
 * The one table of operations and the callers they admit. The guard refuses an operation that is not in it, so that a
 * forgotten entry closes a door instead of opening one.
 */
export class OperationTable {
  private readonly byId: ReadonlyMap<string, OperationDeclaration>;
  private readonly twins: ReadonlyMap<string, OperationDeclaration>;
  private readonly patterns: readonly { operation: OperationDeclaration; pattern: RegExp }[];

  /** Throws if two operations have one id or one address, or if an operation contradicts itself. */
  constructor(readonly all: readonly OperationDeclaration[]) {
    const faults = [...repeated(all), ...all.flatMap(contradictions)];
    if (faults.length > 0) throw new Error(faults.join('\n'));
    this.byId = new Map(all.map((operation) => [operation.id, operation]));
    this.twins = new Map(all.flatMap((operation) => (operation.twinOf ? [[operation.twinOf, operation]] : [])));
    this.patterns = all.map((operation) => ({ operation, pattern: patternOf(operation) }));
  }

  of(id: string | undefined): OperationDeclaration | undefined {
    return id === undefined ? undefined : this.byId.get(id);
  }

  /** What a handler of an operation does where the path that was called names a site: the operation, or its twin. */
  ofSite(operation: OperationDeclaration): OperationDeclaration | undefined {
    return operation.path.includes('{site}') ? operation : this.twins.get(operation.id);
  }

  /** Operations whose path matches a URL path, one per method. */
  at(path: string): OperationDeclaration[] {
    return this.patterns.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
  }

  /** Operations of the public interface, with their documentation. */
  get documented(): DocumentedOperation[] {
    return this.all.filter((operation): operation is OperationDeclaration & DocumentedOperation =>
      isDescribed(operation),
    );
  }
}

function patternOf({ path, restOfPath }: OperationDeclaration): RegExp {
  const escaped = path.replaceAll('.', '\\.');
  const open = restOfPath ? escaped.replace(/\{\w+\}$/, '.+') : escaped;
  return new RegExp(`^${open.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}

const isDescribed = (operation: OperationDeclaration): boolean => operation.summary !== undefined;

function repeated(all: readonly OperationDeclaration[]): string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  const addresses = new Map<string, string>();
  for (const { id, method, path } of all) {
    if (ids.has(id)) faults.push(`two operations are called ${id}`);
    ids.add(id);
    // `/things/{id}` and `/things/{name}` are one address.
    const address = `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
    const other = addresses.get(address);
    if (other !== undefined) faults.push(`${other} and ${id} have one address: ${method} ${path}`);
    addresses.set(address, id);
  }
  return faults;
}

function contradictions(operation: OperationDeclaration): string[] {
  const { id, keys, path, subject, cors, bodyLimit, body, method, roles } = operation;
  return [
    ...(keys.includes('operator') && !roles ? [`${id} is for operators, and says not of which role (roles)`] : []),
    ...(bodyLimit !== undefined && !body ? [`${id} reads a body (bodyLimit), and no contract says which`] : []),
    ...(bodyLimit === undefined && body ? [`${id} has a contract for its body, and no bodyLimit`] : []),
    ...(method === 'GET' && body ? [`${id} is a GET, which has no body`] : []),
    ...(cors && !keys.includes('pk') ? [`${id} may be called from pages, which have no key that it takes`] : []),
    ...(keys.includes('sk') && path.includes('{site}')
      ? [`${id} names a site in its path, and takes secret keys, which name theirs`]
      : []),
    ...(path.includes('{ref}') && !(subject?.in === 'path' && subject.name === 'ref')
      ? [`${id} names a subject in its path ({ref}), and its rule does not (subject)`]
      : []),
  ];
}
