import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Operation } from '../../http/contract/operation.js';
import { refused } from '../../http/errors/refused.js';
import { ACCESS_RULES, type AccessRules } from '../access-rules.js';
import { OperatorSessions } from '../operators/operator-sessions.js';
import { ProviderUnavailable, SignInNotProven } from './faults.js';
import type { Attempt } from './provider.js';

const AWAY = 'The identity provider does not answer. Try again, or sign in with the operator token of the first start.';
/** The session is sent to pages that this service links to, and not along with a redirect from elsewhere. */
const SIGNED_IN =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=../../../../console"><title>Signed in</title><p><a href="../../../../console">Go on</a></p></html>';

/** Signing in by OpenID Connect. */
@Controller('admin/v1/session/oidc')
export class OidcController {
  constructor(
    private readonly sessions: OperatorSessions,
    @Inject(ACCESS_RULES) private readonly rules: AccessRules,
  ) {}

  @Get()
  @Operation('beginOidcSignIn')
  async begin(@Res() response: Response): Promise<void> {
    const { provider } = this.oidc();
    const { url, attempt } = await answered(provider.begin());
    response.setHeader('Set-Cookie', await this.sessions.remember(attempt));
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, url);
  }

  @Get('callback')
  @Operation('finishOidcSignIn')
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { provider, roles: file } = this.oidc();
    const attempt = await this.sessions.remembered<Attempt>(request.headers);
    const forgotten = await this.sessions.remember(null);
    response.setHeader('Set-Cookie', forgotten);
    if (attempt === null) {
      this.sessions.refuse('OIDC', 'NOT_PROVEN');
      throw refused('sign_in_refused');
    }
    const query = new URL(request.originalUrl, 'http://here').search;
    const { id, name, claims } = await answered(provider.finish(query, attempt), () =>
      this.sessions.refuse('OIDC', 'NOT_PROVEN'),
    );
    const roles = file.rolesOf(claims);
    if (roles.length === 0) {
      this.sessions.refuse('OIDC', 'NO_ROLE', id);
      throw refused('sign_in_refused', 'No group of this account has a role here: ask an administrator for one.');
    }
    const by = { way: 'OIDC', requestId: request.requestId } as const;
    response.setHeader('Set-Cookie', [forgotten, await this.sessions.beginFor({ id, roles }, by, name)]);
    response.setHeader('Cache-Control', 'no-store');
    response.status(200).type('html').send(SIGNED_IN);
  }

  private oidc(): NonNullable<NonNullable<AccessRules['signIn']>['oidc']> {
    const oidc = this.rules.signIn?.oidc;
    if (!oidc) throw refused('route_not_found');
    return oidc;
  }
}

/** What the provider answered, or the refusal. Nothing of the answer is repeated or logged. */
async function answered<T>(asked: Promise<T>, notProven?: () => void): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw refused('dependency_unavailable', AWAY, [], { 'Retry-After': '5' });
    if (error instanceof SignInNotProven) {
      notProven?.();
      throw refused('sign_in_refused');
    }
    throw error;
  }
}
