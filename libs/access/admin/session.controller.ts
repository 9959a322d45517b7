import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { OperationAccess } from '../../context/operations.js';
import { mayAt, placesOf, TO_LOOK } from '../../context/roles.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { refused } from '../../http/errors/refused.js';
import { ACCESS_RULES, type AccessRules } from '../access-rules.js';
import { placeOfCall } from '../callers/roles.js';
import { OperatorSessions } from '../operators/operator-sessions.js';
import { OperatorTokens } from '../operators/operator-tokens.js';
import { DEMO_OPERATOR, DemoSite } from '../operators/demo-site.js';
import type { SessionDto, SignInDto } from './session.operations.js';

const OWN_PAGES = 'Sign in at the address of this service, from its own page.';

/** Sessions of the console. */
@Controller('admin/v1/session')
export class SessionController {
  constructor(
    private readonly sessions: OperatorSessions,
    private readonly tokens: OperatorTokens,
    private readonly demo: DemoSite,
    @Inject(ACCESS_RULES) private readonly rules: AccessRules,
  ) {}

  @Post()
  @HttpCode(204)
  @Operation('signIn')
  async signIn(
    @Input() { token }: SignInDto,
    @Req() { headers, requestId }: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    if (!this.sessions.isOwnForm(headers)) throw refused('origin_not_allowed', OWN_PAGES);
    const cookie = await this.sessions.begin(token.trim(), requestId);
    if (cookie === null)
      throw refused('api_key_invalid', 'The operator token is mistyped, was revoked or has expired.');
    response.setHeader('Set-Cookie', cookie);
  }

  @Post('demo')
  @HttpCode(204)
  @Operation('lookAround')
  async lookAround(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    if (!this.sessions.isOwnForm(request.headers)) throw refused('origin_not_allowed', OWN_PAGES);
    const site = this.demo.for(request);
    if (site === null) throw refused('route_not_found');
    const roles = [{ role: 'ADMIN', site, env: 'test' } as const];
    const by = { way: 'DEMO', requestId: request.requestId } as const;
    response.setHeader('Set-Cookie', await this.sessions.beginFor({ id: DEMO_OPERATOR, roles }, by));
  }

  @Get()
  @Operation('getSession')
  async get(@CallerOf() { keyId, roles = [] }: Caller, @Req() { headers }: Request): Promise<SessionDto> {
    const session = await this.sessions.ofConsole(headers);
    const name = session?.name ?? (await this.tokens.state()).get(keyId!)?.name ?? null;
    const ofOperators = this.rules.operations.all.filter(({ keys }) => keys.includes('operator'));
    const places = [...new Set(placesOf(roles, TO_LOOK))].map((place) => place.split('/') as [string, string]);
    return {
      operator: { id: keyId!, name },
      roles: [...roles],
      may: places.map(([site, env]) => ({
        site,
        env,
        operations: ofOperators
          .filter((each) => mayAt(roles, each.roles ?? [], placeOfCall(each, namedIn(each, { site, env }))))
          .map(({ id }) => id),
      })),
      endsAt: session?.endsAt ?? null,
    };
  }

  @Delete()
  @HttpCode(204)
  @Operation('signOut')
  async signOut(
    @CallerOf() { session, requestId }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const { sessions } = this;
    const removed = session === undefined ? sessions.removed() : await sessions.end({ id: session }, requestId);
    response.setHeader('Set-Cookie', removed);
  }
}

/**
 * The parts of a place that a call names, in its path or, for the environment, in its body or by its key. An operation on
 * all sites needs a role on all of them.
 */
const namedIn = ({ path, envBy }: OperationAccess, place: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(place).filter(([name]) => path.includes(`{${name}}`) || (name === 'env' && envBy !== undefined)),
  );
