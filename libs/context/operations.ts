import type { Issue } from '../kernel/index.js';
import type { JudgedByItem } from '../http/contract/misshapen.js';
import type { OperationDocument, DocumentedOperation } from '../http/contract/operation.js';
import type { RoleGrant } from './roles.js';
import type { AccessScope, KeyType } from './scopes.js';

export type KeyKind = KeyType | 'operator' | 'none';

/** Where a request names its data subject. A public key may not name every subject there. */
export type SubjectPlace =
  | {
      in: 'path' | 'query' | 'body';
      name: string;
      /** A caller may name any subject without a token: the operation looks it up only after the caller has proved to be it. */
      open?: true;
    }
  /** Each item of a list in the body. */
  | { in: 'batch'; list: string; name: string }
  /** Nowhere: the subject is the one that the identity token vouches for. */
  | { in: 'identity' };

/** Which callers may call an operation, and how. */
export interface OperationAccess {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in the OpenAPI document, with `{name}` for a segment. */
  path: string;
  keys: readonly KeyKind[];
  /**
   * Roles of the operators who may call it, and of those who may call its twin under `/admin/v1`; ADMIN always may.
   * Required where `keys` names operators. A role counts for the `{site}` and `{env}` of the path. Where the path lacks
   * one of them, a list is open to the role at any place and answers what the role reaches; all else needs it everywhere.
   */
  roles?: readonly RoleGrant[];
  /** Answers operators in clear what others mask; each call is recorded with its reason. */
  reveals?: true;
  /** Id of the operation whose twin for operators it is. */
  twinOf?: string;
  /** Open to its roles at any place, although it is no list: it is about the caller alone. */
  anywhere?: true;
  /** Where a request names the environment that the path lacks: in the body, or by the key whose id is in the path. */
  envBy?: 'body' | 'key';
  scope: AccessScope | null;
  subject: SubjectPlace | null;
  /** Bytes of a JSON body; absent where none is read. */
  bodyLimit?: number;
  /** Code of the refusal of a larger body; `body_too_large` unless named. */
  tooLarge?: 'batch_too_large';
  /**
   * Called by the holder of a link, whose token is the permission. Forms are read beside JSON, the uses of a token are
   * limited, and evidence from the request is kept.
   */
  byLink?: true;
  /** Posted by a person from a page of the service: evidence from the request is kept, as with a link. */
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
  /** Whether rate limits apply. False for probes, so that a flood cannot make an instance look dead, and with `perAddress` alone. */
  limited: boolean;
}

/** What a body must be besides the contract in the operation's description. */
export interface BodyRules {
  /** Parts of a valid body that only a secret key may send; a public key is refused with `secret_key_required`. */
  privileged?: (input: never) => Issue[];
  /** Called with the body before validation. A text says why it is too large; the refusal has the code of `tooLarge`. */
  oversized?: (input: unknown) => string | null;
  /** A list whose misshapen items the handler refuses one by one, while it takes the others. */
  judgedByItem?: JudgedByItem;
}

/** Probes and pages about the service are not part of the interface and have no description. */
interface NotDescribed {
  answers?: never;
  summary?: never;
  body?: never;
}

/**
 * The declaration of one operation: its callers, the rules of its body, and its text in the OpenAPI document. The contract
 * of the body is that of the description.
 */
export type OperationDeclaration = OperationAccess & BodyRules & (OperationDocument | NotDescribed);

export const KB = 1024;
export const MB = 1024 * KB;

/** Public and secret keys, the former from the pages of the site. */
export const BY_ANY_KEY = { keys: ['pk', 'sk'], cors: true, limited: true } as const;
export const BY_PUBLIC_KEY = { keys: ['pk'], cors: true, limited: true } as const;
export const BY_SECRET_KEY = { keys: ['sk'], cors: false, limited: true } as const;
export const BY_OPERATOR = { keys: ['operator'], scope: null, subject: null, cors: false, limited: true } as const;
/** Readable without a key. */
export const BY_ANYBODY = {
  method: 'GET',
  keys: ['none'],
  scope: null,
  subject: null,
  cors: false,
  limited: true,
} as const;
/** Form or JSON from a person who followed a link in a mail. */
export const BY_LINK = { ...BY_ANYBODY, method: 'POST', byLink: true } as const;

/** An operation that is part of the interface. */
export type DocumentedDeclaration = OperationDeclaration & DocumentedOperation;

/** The heading of the twins in the documentation. */
export const TWIN_TAG = 'Any site';

/**
 * Declarations with a twin for each one that a secret key may call: the same of any site, for the operators whose role it
 * names. One handler answers both. The twin has the same body, answers and errors under
 * `/admin/v1/sites/{site}/{env}` and the rest of the path; its id has `Site` after the verb: `getSiteSubject`. Twins stand
 * last, and so does their heading in the documentation.
 */
export const withTwins = (declared: readonly OperationDeclaration[]): OperationDeclaration[] => [
  ...declared,
  ...declared.filter(isForServers).map(twinOf),
];

const isForServers = (operation: OperationDeclaration): operation is DocumentedDeclaration =>
  operation.keys.includes('sk') && operation.summary !== undefined;

function twinOf(operation: DocumentedDeclaration): OperationDeclaration {
  // What the bearer of a capability and pages of every origin may do is no part of it.
  const { byCapability: _, anyOrigin: __, ...kept } = operation;
  const { id, method, path, subject, summary, pathParameters, refusals } = operation;
  return {
    ...kept,
    ...BY_OPERATOR,
    twinOf: id,
    id: id.replace(/^[a-z]+/, '$&Site'),
    path: path.replace(/^\/v1/, TWINS_AT),
    // An operator has no identity token, which alone would name the subject.
    subject: subject?.in === 'identity' ? null : subject,
    tag: TWIN_TAG,
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

/** Where the twins stand, in place of `/v1`. */
export const TWINS_AT = '/admin/v1/sites/{site}/{env}';

/** The subject is named by the segment `{ref}` of the path. */
export const REF_IN_PATH = { in: 'path', name: 'ref' } as const;
