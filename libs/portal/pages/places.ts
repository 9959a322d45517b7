import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { KeyDirectory, portalReference, shownBrand } from '../../access/index.js';
import { acceptedLocales } from '../../pages/locale.js';
import { languageOf } from '../../pages/languages.js';
import { CLOCK, type Clock } from '../../kernel/index.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import type { CalledRequest, Caller } from '../../http/caller.js';
import { prefixOf } from '../../http/docs/page.js';
import { refused } from '../../http/errors/refused.js';
import { PORTAL_WORDS } from '../texts/words.js';
import type { PortalPlace } from './place.js';
import { PortalSessions, type PortalSession } from './sessions.js';

/** The actor in the metadata of events that a person caused without a session of the site's server. */
export const BY_PORTAL = 'portal';

/** Finds out for which site a request of the portal is, who is signed in there, and in which language. */
@Injectable()
export class PortalPlaces {
  private readonly prefix: string;

  constructor(
    private readonly directory: KeyDirectory,
    private readonly sessions: PortalSessions,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {
    this.prefix = prefixOf(publicUrl);
  }

  /** Rejects with `route_not_found` where there is no such site. */
  async of(request: Request & CalledRequest): Promise<PortalPlace> {
    const { site, env } = request.caller!;
    const scope = { site, env };
    const settings = this.directory.site(site)?.settings;
    if (!settings) throw refused('route_not_found');
    const session = await this.sessions.of(request.headers, scope);
    const wanted = [
      ...(session?.locale ? [session.locale] : []),
      ...acceptedLocales(request.headers['accept-language']),
      settings.defaultLocale,
    ];
    const language = languageOf(wanted);
    return {
      scope,
      settings,
      session,
      language,
      wishes: [language, ...wanted],
      path: `${this.prefix}/portal/${site}/${env}`,
      words: PORTAL_WORDS[language],
      brand: shownBrand(settings, [language, ...wanted]),
      at: this.clock(),
      takesToken: false,
    };
  }

  /** The visitor of the page as other contexts know callers: with the scopes of the session, and with what the site keeps of a request. */
  callerOf(request: CalledRequest, { settings, scope }: PortalPlace, session: PortalSession | null): Caller {
    const { ip, userAgent, requestId, operation } = request.caller!;
    const keyId = session?.keyId ?? BY_PORTAL;
    const scopes = session?.scopes ?? [];
    return {
      kind: 'pk',
      operation,
      keyId,
      ...scope,
      scopes,
      origin: new URL(this.publicUrl).origin,
      ip: settings.evidence.ip === 'TRUNCATED' ? ip : null,
      userAgent: settings.evidence.userAgent ? userAgent : null,
      identity: session && {
        reference: portalReference(session.subjectId),
        keyId,
        issuedAt: session.signedInAt,
        scopes,
      },
      identifierKinds: settings.identifierKinds ?? [],
      requestId,
    };
  }

  /** The address of a page, as evidence of where something was said. */
  addressOf({ scope: { site, env } }: PortalPlace, page: string): string {
    return `${this.publicUrl}/portal/${site}/${env}/${page}`;
  }
}
