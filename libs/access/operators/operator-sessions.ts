import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { epochMs, instantOf, type Clock, type Instant } from '../../kernel/index.js';
import type { KnownOperator, OperatorVerifier } from '../callers/authenticate.js';
import type { EndedSessions } from './ended-sessions.js';
import { isOwnPage } from '../callers/own-pages.js';
import type { Sealer } from '../tokens/sealer.js';

/** How long an operator stays signed in, in a browser. */
export const SESSION_HOURS = 8;
const SESSION_S = SESSION_HOURS * 3_600;
const PURPOSE = 'operator-session';
const FORM_SECRET_BYTES = 18;

/** An operator who is signed in. */
export interface OperatorSession {
  operator: KnownOperator;
  /** In every form of this session, so that no other site can forge one. */
  formSecret: string;
  /** When the session ends without a sign-out. */
  endsAt: Instant;
}

interface Sealed {
  token: string;
  /** Milliseconds since 1970. */
  endsAt: number;
  formSecret: string;
}

export interface SessionsOptions {
  sealer: Sealer;
  verify: OperatorVerifier;
  /** Origins of the service's own pages. */
  origins: ReadonlySet<string>;
  ended: EndedSessions;
  clock: Clock;
}

/**
 * Sessions of operators in a browser, which cannot send the token by itself. The cookie holds the token, sealed with the
 * master key. Every process accepts the session; revoking the token or signing out ends it at once.
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
  async begin(token: string): Promise<string | null> {
    const { verify, sealer } = this.options;
    if ((await verify(token)) === null) return null;
    const formSecret = randomBytes(FORM_SECRET_BYTES).toString('base64url');
    const session: Sealed = { token, endsAt: this.nowMs() + SESSION_S * 1_000, formSecret };
    const sealed = await sealer.seal(PURPOSE, Buffer.from(JSON.stringify(session)));
    return `${this.cookie}=${sealed}; Max-Age=${SESSION_S}; ${this.attributes}`;
  }

  /** Ends the session, also for holders of a copied cookie. Returns the `Set-Cookie` that removes the cookie. */
  async end(session: OperatorSession): Promise<string> {
    await this.options.ended.end(session);
    return `${this.cookie}=; Max-Age=0; ${this.attributes}`;
  }

  /** The session of the signed-in operator; null: no operator is signed in. */
  async of(headers: IncomingHttpHeaders): Promise<OperatorSession | null> {
    const session = await this.opened(cookieOf(headers, this.cookie));
    if (session === null || session.endsAt <= this.nowMs()) return null;
    const { token, formSecret, endsAt } = session;
    const operator = await this.options.verify(token);
    if (operator === null || (await this.options.ended.has(session))) return null;
    return { operator, formSecret, endsAt: instantOf(endsAt) };
  }

  /** Whether a page of the service itself posted the form. */
  isOwnForm(headers: IncomingHttpHeaders): boolean {
    return isOwnPage(headers, this.options.origins);
  }

  private async opened(sealed: string | null): Promise<Sealed | null> {
    if (sealed === null) return null;
    try {
      return JSON.parse(Buffer.from(await this.options.sealer.open(PURPOSE, sealed)).toString()) as Sealed;
    } catch {
      // Forged, changed, or sealed with an old master key.
      return null;
    }
  }

  private nowMs(): number {
    return epochMs(this.options.clock());
  }
}

/** Whether the posted form belongs to this session. */
export function isOfSession({ formSecret }: OperatorSession, posted: string | undefined): boolean {
  const [ours, theirs] = [Buffer.from(formSecret), Buffer.from(posted ?? '')];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const found = cookie
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}
