import type { Issue } from '../kernel/index.js';
import type { JudgedByItem } from '../http/contract/misshapen.js';
import type { OperationDocument, DocumentedOperation } from '../http/contract/operation.js';
import type { AccessScope, KeyType } from './scopes.js';

export type KeyKind = KeyType | 'operator' | 'none';

/** Where an operation names the data subject it is about: every place that a public key must not reach freely. */
export type SubjectPlace =
  | {
      in: 'path' | 'query' | 'body';
      name: string;
      /** Anybody may be named without a token: the operation looks nobody up before somebody has proved to be the one. */
      open?: true;
    }
  /** Each item of a list in the body. */
  | { in: 'batch'; list: string; name: string }
  /** Nowhere: it is about whom the identity token vouches for. */
  | { in: 'identity' };

/** Who may call an operation. */
export interface OperationAccess {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in the OpenAPI document, with `{name}` for a segment. */
  path: string;
  keys: readonly KeyKind[];
  scope: AccessScope | null;
  subject: SubjectPlace | null;
  /** Bytes of a JSON body; absent where none is read. */
  bodyLimit?: number;
  /** Code of the refusal of a larger body; `body_too_large` unless named. */
  tooLarge?: 'batch_too_large';
  /**
   * Called by whoever has a link, whose token is the permission: forms are read beside JSON, how often one token is used is
   * limited, and what the request shows is kept as evidence.
   */
  byLink?: true;
  /** Posted by a person from a page of the service: what the request shows is kept as evidence, as with a link. */
  byPerson?: true;
  /** How often one network address may call it, whichever key it has, besides other limits. Counted apart from them. */
  perAddress?: { perSecond: number; burst: number };
  /**
   * A query parameter whose value is a permission of its own: with it no key is needed, nor an identity token. The
   * handler checks it.
   */
  byCapability?: string;
  /** The last segment of the path stands for the rest of it, slashes included. */
  restOfPath?: true;
  /** Media types that it answers besides JSON. */
  alsoAnswers?: readonly string[];
  /** Whether pages of the site's origins may call it. */
  cors: boolean;
  /** Pages of every origin may read the answer, which holds nothing personal; its handler says so in a header. */
  anyOrigin?: true;
  /** False only for probes, since a flood from one address must not make an instance look dead, and where `perAddress` is all. */
  limited: boolean;
}

/** What a body must be besides the contract in the operation's description. */
export interface BodyRules {
  /** What of a valid body only a secret key may say: with a public key it is refused with `secret_key_required`. */
  privileged?: (input: never) => Issue[];
  /** Asked of a body as it came; a text says why it is too large, and the code of `tooLarge` is answered. */
  oversized?: (input: unknown) => string | null;
  /** A list whose misshapen items are the handler's to refuse, each by itself; those that fit are taken. */
  judgedByItem?: JudgedByItem;
}

/** Probes and pages about the service are not part of the interface and have no description. */
interface NotDescribed {
  summary?: never;
  body?: never;
}

/**
 * All about one operation in one place: who may call it, what its body must be, and what the OpenAPI document says of it.
 * The contract of the body is that of the description.
 */
export type OperationDeclaration = OperationAccess & BodyRules & (OperationDocument | NotDescribed);

export const KB = 1024;
export const MB = 1024 * KB;

/** Public and secret keys, the former from the pages of the site. */
export const BY_ANY_KEY = { keys: ['pk', 'sk'], cors: true, limited: true } as const;
export const BY_PUBLIC_KEY = { keys: ['pk'], cors: true, limited: true } as const;
export const BY_SECRET_KEY = { keys: ['sk'], cors: false, limited: true } as const;
export const BY_OPERATOR = { keys: ['operator'], scope: null, subject: null, cors: false, limited: true } as const;
/** To be read by everybody, without a key. */
export const BY_ANYBODY = {
  method: 'GET',
  keys: ['none'],
  scope: null,
  subject: null,
  cors: false,
  limited: true,
} as const;
/** Form or JSON of whoever followed a link that was mailed. */
export const BY_LINK = { ...BY_ANYBODY, method: 'POST', byLink: true } as const;

/** An operation that is part of the interface. */
export type DocumentedDeclaration = OperationDeclaration & DocumentedOperation;

/** The same operation on any site, for operators: the command line and their pages. `noun`: what its id is about. */
export function forOperators(operation: DocumentedDeclaration, noun: string): OperationDeclaration {
  const { id, method, path, summary, pathParameters, refusals } = operation;
  return {
    ...operation,
    ...BY_OPERATOR,
    id: id.replace(noun, `Site${noun}`),
    path: path.replace(/^\/v1/, '/admin/v1/sites/{site}/{env}'),
    summary: `${summary}, of any site`,
    description: `What \`${method} ${path}\` does, for an operator.`,
    pathParameters: {
      site: { description: 'Site.', example: 'demo' },
      env: { description: '`test` or `live`.', example: 'test' },
      ...pathParameters,
    },
    refusals: [...refusals, 'route_not_found'],
  };
}

/** The subject is named by the segment `{ref}` of the path. */
export const REF_IN_PATH = { in: 'path', name: 'ref' } as const;
