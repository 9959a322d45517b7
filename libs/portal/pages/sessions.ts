import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { EndedSessions, isOwnPage, ownOrigins, PortalTokens, type AccessScope } from '../../access/index.js';
import { CLOCK, epochMs, plusMs, type Clock, type Instant, type Scope } from '../../kernel/index.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { MasterKey } from '../../vault/master-key.js';

/** How long a person stays signed in to the portal. */
export const PORTAL_SESSION_MINUTES = 30;
const SESSION_MS = PORTAL_SESSION_MINUTES * 60_000;
const PURPOSE = 'portal-session';
const FORM_SECRET_BYTES = 18;

/** A person who is signed in, and what they may do. */
export interface PortalSession {
  scope: Scope;
  subjectId: string;
  scopes: readonly AccessScope[];
  /** The secret key behind the portal token; null: signed in by a mailed code. */
  keyId: string | null;
  /**
   * The identifier that a code was mailed to, where that has not shown the person to be the subject: they then see only what
   * was made under it. Null: they are the subject.
   */
  limitedTo: string | null;
  signedInAt: Instant;
  /** Where the way back leads; null: nowhere. */
  redirectUrl: string | null;
  /** Of the portal token; null: the language of the browser. */
  locale: string | null;
  /** Stands in every form of this session, so that no other site can make one up. */
  formSecret: string;
}

/** When a person is signed out. */
export const sessionEnd = ({ signedInAt }: Pick<PortalSession, 'signedInAt'>): Instant =>
  plusMs(signedInAt, SESSION_MS);

/** As the cookie has it. */
type KeptSession = Omit<PortalSession, 'limitedTo'> & Partial<Pick<PortalSession, 'limitedTo'>>;
export type BegunSession = Omit<PortalSession, 'formSecret'>;

/**
 * People in a browser. Who it is stands in a cookie, sealed with the master key, so every process knows the session. It is
 * of one site and environment, ends after half an hour, with the secret key that let the person in, and when the person
 * signs out.
 */
@Injectable()
export class PortalSessions {
  private readonly isSecure: boolean;
  private readonly origins: ReadonlySet<string>;

  constructor(
    private readonly master: MasterKey,
    @Inject(PortalTokens) private readonly tokens: PortalTokens | null,
    private readonly ended: EndedSessions,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PUBLIC_URL) publicUrl: string,
  ) {
    this.origins = ownOrigins(publicUrl);
    this.isSecure = publicUrl.startsWith('https:');
  }

  /** The `Set-Cookie` that signs a person in. */
  begin(session: BegunSession): string {
    const formSecret = randomBytes(FORM_SECRET_BYTES).toString('base64url');
    const clear = JSON.stringify({ ...session, formSecret } satisfies PortalSession);
    const sealed = this.master.sealSecret(PURPOSE, Buffer.from(clear)).toString('base64url');
    return `${this.cookieOf(session.scope)}=${sealed}; Max-Age=${SESSION_MS / 1000}; ${this.attributes}`;
  }

  /** Ends the session for every holder of its cookie; answers the `Set-Cookie` that takes that away. */
  async end({ scope, signedInAt, formSecret }: PortalSession): Promise<string> {
    await this.ended.end({ formSecret, endsAt: sessionEnd({ signedInAt }) });
    return `${this.cookieOf(scope)}=; Max-Age=0; ${this.attributes}`;
  }

  /** The session at a site; null: there is none. */
  async of(headers: IncomingHttpHeaders, scope: Scope): Promise<PortalSession | null> {
    const session = this.opened(cookieIn(headers, this.cookieOf(scope)));
    if (session === null || session.scope.site !== scope.site || session.scope.env !== scope.env) return null;
    // Begun by an older release, which did not ask whose address it is.
    const { limitedTo } = session;
    if (limitedTo === undefined) return null;
    if (epochMs(sessionEnd(session)) <= epochMs(this.clock())) return null;
    if (await this.ended.has(session)) return null;
    const { keyId, scopes } = session;
    if (keyId === null) return { ...session, limitedTo };
    const left = await this.tokens?.handedOn({ keyId, ...scope, scopes });
    return left ? { ...session, limitedTo, scopes: left } : null;
  }

  /** Whether a form was posted by a page of the service itself. */
  isOwnForm(headers: IncomingHttpHeaders): boolean {
    return isOwnPage(headers, this.origins);
  }

  /** One cookie for each site and environment, so that several portals can be open in one browser. `__Host-`: of this host, over https. */
  private cookieOf({ site, env }: Scope): string {
    return `${this.isSecure ? '__Host-' : ''}assent-portal-${site}.${env}`;
  }

  private get attributes(): string {
    return `Path=/; HttpOnly; SameSite=Strict${this.isSecure ? '; Secure' : ''}`;
  }

  private opened(sealed: string | null): KeptSession | null {
    if (sealed === null) return null;
    try {
      return JSON.parse(this.master.openSecret(PURPOSE, Buffer.from(sealed, 'base64url')).toString()) as KeptSession;
    } catch {
      // Made up, changed, or sealed with a master key that is gone.
      return null;
    }
  }
}

/** Whether a form that was posted is one of this session. */
export function isOfPortalSession({ formSecret }: PortalSession, posted: string | undefined): boolean {
  const [ours, theirs] = [Buffer.from(formSecret), Buffer.from(posted ?? '')];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

function cookieIn({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const found = cookie
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}
