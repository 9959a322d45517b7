import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { epochMs, plusMs, type Clock, type Instant } from '../../kernel/index.js';
import type { KnownOperator, OperatorVerifier } from '../callers/authenticate.js';
import { sessionId, type SessionRow, type SessionRows, type SignedInBy } from './session-rows.js';
import type { RefusedSignIns, SignInRefusal, SignInWay } from './sign-ins.js';
import { FIRST_TOKEN_ID } from './operator-token-state.js';
import { isOwnPage, sentByOwnPage } from '../callers/own-pages.js';
import type { Sealer } from '../tokens/sealer.js';

/** How long an operator stays signed in, in a browser. */
export const SESSION_HOURS = 8;
const SESSION_S = SESSION_HOURS * 3_600;
/** `Assent-Console: 1`, which a form of another site cannot send. */
export const CONSOLE_HEADER = 'assent-console';
/** How long a person may take to sign in at the identity provider. */
const ATTEMPT_S = 600;
const ATTEMPT = 'operator-sign-in';
const PURPOSE = 'operator-session';
const SECRET_BYTES = 18;

/** An operator who is signed in. */
export interface OperatorSession {
  operator: KnownOperator;
  /** `ses_…` */
  id: string;
  /** Of a person; null of a token, which has its name in the log. */
  name: string | null;
  /** When the session ends without a sign-out, however busy it is. */
  endsAt: Instant;
}

interface Sealed {
  /** Null: signed in without a token. The row says who it is. */
  token: string | null;
  /** Of a person. It is kept here alone, in the browser of that person. */
  name: string | null;
  secret: string;
}

export interface SessionsOptions {
  sealer: Sealer;
  verify: OperatorVerifier;
  /** Origins of the service's own pages. */
  origins: ReadonlySet<string>;
  rows: SessionRows;
  /** Absent: refused sign-ins are not counted. */
  refused?: RefusedSignIns;
  clock: Clock;
  /** Whether only the token of the first start signs in. Default: any does. */
  onlyFirst?: boolean;
}

/**
 * Sessions of operators in a browser, which cannot send the token by itself. The cookie holds a secret and the token,
 * sealed with the master key; a row says that the session has not ended. Every process accepts the session. It ends
 * after 8 hours, after 30 minutes without a request, when the operator signs out, and when the token ends.
 */
export class OperatorSessions {
  /** `__Host-`: browsers accept it from this host over https only, and send it to this host only. */
  private readonly cookie: string;
  private readonly attributes: string;

  constructor(private readonly options: SessionsOptions) {
    const isSecure = [...options.origins].every((origin) => origin.startsWith('https:'));
    this.cookie = isSecure ? '__Host-assent-operator' : 'assent-operator';
    this.attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /** The `Set-Cookie` that signs in the holder of an operator's token; null if the text is no token that works. */
  async begin(token: string, requestId?: string): Promise<string | null> {
    const operator = await this.options.verify(token);
    if (operator === null) return this.refuse('TOKEN', 'TOKEN');
    if (this.options.onlyFirst && operator.id !== FIRST_TOKEN_ID)
      return this.refuse('TOKEN', 'ONLY_FIRST', operator.id);
    return this.opened({ token, name: null }, operator.id, null, { way: 'TOKEN', requestId });
  }

  /** The `Set-Cookie` that signs in an operator who has no token. The roles hold for this session. */
  beginFor({ id, roles }: KnownOperator, by: SignedInBy, name: string | null = null): Promise<string> {
    return this.opened({ token: null, name }, id, roles, by);
  }

  /** A sign-in was refused: the journal counts it. */
  refuse(way: SignInWay, refusal: SignInRefusal, operator?: string): null {
    this.options.refused?.note(way, refusal, operator);
    return null;
  }

  /** Ends the session, also for holders of a copied cookie. Returns the `Set-Cookie` that removes the cookie. */
  async end({ id }: Pick<OperatorSession, 'id'>, requestId: string | null = null): Promise<string> {
    await this.options.rows.end(id, this.options.clock(), requestId);
    return this.removed();
  }

  /** The `Set-Cookie` that removes the cookie. */
  removed(): string {
    return `${this.cookie}=; Max-Age=0; ${this.attributes}`;
  }

  /** The session of the signed-in operator; null: no operator is signed in. */
  async of(headers: IncomingHttpHeaders): Promise<OperatorSession | null> {
    const sealed = await this.openedAs<Sealed>(PURPOSE, cookieOf(headers, this.cookie));
    if (sealed === null) return null;
    const id = sessionId(sealed.secret);
    const row = await this.options.rows.seen(id, this.options.clock());
    if (row === null) return null;
    const operator =
      sealed.token === null ? { id: row.operator, roles: row.roles ?? [] } : await this.options.verify(sealed.token);
    return operator && { operator, id, name: sealed.name, endsAt: row.endsAt };
  }

  /** The same for a request of the console: with its header, and from a page of the service. */
  ofConsole(headers: IncomingHttpHeaders): Promise<OperatorSession | null> | null {
    if (headers[CONSOLE_HEADER] !== '1' || headers.cookie === undefined) return null;
    return sentByOwnPage(headers, this.options.origins) ? this.of(headers) : null;
  }

  /** The `Set-Cookie` that remembers an attempt to sign in elsewhere; null removes it. The browser sends it when it comes back. */
  async remember(attempt: object | null): Promise<string> {
    const attributes = this.attributes.replace('SameSite=Strict', 'SameSite=Lax');
    if (attempt === null) return `${this.cookie}-attempt=; Max-Age=0; ${attributes}`;
    const until = epochMs(this.options.clock()) + ATTEMPT_S * 1_000;
    const sealed = await this.options.sealer.seal(ATTEMPT, Buffer.from(JSON.stringify({ attempt, until })));
    return `${this.cookie}-attempt=${sealed}; Max-Age=${ATTEMPT_S}; ${attributes}`;
  }

  /** The attempt that this browser began; null: none, or too long ago. */
  async remembered<T>(headers: IncomingHttpHeaders): Promise<T | null> {
    const opened = await this.openedAs<{ attempt: T; until: number }>(
      ATTEMPT,
      cookieOf(headers, `${this.cookie}-attempt`),
    );
    return opened && opened.until > epochMs(this.options.clock()) ? opened.attempt : null;
  }

  /** Whether a page of the service itself posted the form. */
  isOwnForm(headers: IncomingHttpHeaders): boolean {
    return isOwnPage(headers, this.options.origins);
  }

  private async opened(
    who: Omit<Sealed, 'secret'>,
    operator: string,
    roles: SessionRow['roles'],
    by: SignedInBy,
  ): Promise<string> {
    const { clock, rows, sealer } = this.options;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const beganAt = clock();
    const endsAt = plusMs(beganAt, SESSION_S * 1_000);
    await rows.begin({ id: sessionId(secret), operator, beganAt, lastSeenAt: beganAt, endsAt, roles }, by);
    const sealed = await sealer.seal(PURPOSE, Buffer.from(JSON.stringify({ ...who, secret } satisfies Sealed)));
    return `${this.cookie}=${sealed}; Max-Age=${SESSION_S}; ${this.attributes}`;
  }

  private async openedAs<T>(purpose: string, sealed: string | null): Promise<T | null> {
    if (sealed === null) return null;
    try {
      return JSON.parse(Buffer.from(await this.options.sealer.open(purpose, sealed)).toString()) as T;
    } catch {
      // Forged, changed, or sealed with an old master key.
      return null;
    }
  }
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const found = cookie
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}
