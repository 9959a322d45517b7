import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  CLOCK,
  isRefusal,
  parseInstant,
  Refused,
  SITE_PATTERN,
  type Clock,
  type Position,
  type Refusal,
} from '../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../platform/http/caller.js';
import { ListQuery, nextLink, type Page } from '../../platform/http/list.js';
import { Operation } from '../../platform/http/operation.js';
import { formatPosition, LOG_POSITION_HEADER, parsePosition } from '../../platform/http/position.js';
import { readQuery } from '../../platform/http/query.js';
import { refused } from '../../platform/http/refused.js';
import { KeyDirectory } from '../key-directory.js';
import { KeyUse } from '../key-use.js';
import { Sites, type SiteDone } from '../sites.js';
import {
  KeyListQuery,
  type IssuedKeyDto,
  type IssueKeyDto,
  type KeyDto,
  type KeyListDto,
  type RegisterSiteDto,
  type RevokeKeyDto,
  type RotatedKeyDto,
  type RotateKeyDto,
  type SiteDto,
  type SiteListDto,
} from './dto.js';
import { OperatorLists } from './lists.js';
import { keyView, siteView } from './view.js';

/** How long a change waits until this instance itself applies it. */
const APPLIED_WITHIN_MS = 1_500;

/** Sites and keys, for the operator. Every change is an event with who and when. */
@Controller('admin/v1/sites')
export class SitesController {
  constructor(
    private readonly sites: Sites,
    private readonly directory: KeyDirectory,
    private readonly uses: KeyUse,
    private readonly lists: OperatorLists,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Operation('listSites')
  async list(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<SiteListDto> {
    const page = await this.lists.sites(readQuery(ListQuery, request.originalUrl), positionOf(request));
    linkToNext(request, response, page);
    return { ...page, data: page.data.map(siteView) };
  }

  @Post()
  @HttpCode(201)
  @Operation('registerSite')
  async register(
    @CallerOf() caller: Caller,
    @Input() input: RegisterSiteDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteDto> {
    const { site, allowedOrigins, rateLimits, ...settings } = input;
    const known = this.directory.site(site)?.settings;
    const origins = allowedOrigins && { test: [], live: [], ...known?.allowedOrigins, ...allowedOrigins };
    const limits = rateLimits && { pk: null, sk: null, ...known?.rateLimits, ...rateLimits };
    const done = await this.sites.register(
      site,
      { ...settings, ...(origins && { allowedOrigins: origins }), ...(limits && { rateLimits: limits }) },
      by(caller),
    );
    return siteView((await this.applied(done, response)).state);
  }

  @Get(':site/keys')
  @Operation('listKeys')
  async keys(
    @Param('site') site: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<KeyListDto> {
    const at = this.clock();
    const page = await this.lists.keys(site, readQuery(KeyListQuery, request.originalUrl), at, positionOf(request));
    if (!page) throw siteUnknown();
    const lastUsed = await this.uses.lastUsed(page.data.map(({ keyId }) => keyId));
    linkToNext(request, response, page);
    return {
      ...page,
      data: page.data.map((key) => ({ ...keyView(key, at), lastUsedAt: lastUsed.get(key.keyId) ?? null })),
    };
  }

  @Post(':site/keys')
  @HttpCode(201)
  @Operation('issueKey')
  async issue(
    @CallerOf() caller: Caller,
    @Param('site') site: string,
    @Input() input: IssueKeyDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssuedKeyDto> {
    checkSite(site);
    const { expiresAt, ...request } = input;
    const issued = await this.sites.issueKey(
      site,
      { ...request, ...(expiresAt !== undefined && { expiresAt: parseInstant(expiresAt)! }) },
      by(caller),
    );
    const { state, keyId, text } = await this.applied(issued, response);
    return { ...keyView(state.keys.get(keyId)!, this.clock()), key: text };
  }

  @Post(':site/keys/:id/rotate')
  @HttpCode(201)
  @Operation('rotateKey')
  async rotate(
    @CallerOf() caller: Caller,
    @Param('site') site: string,
    @Param('id') id: string,
    @Input() input: RotateKeyDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RotatedKeyDto> {
    checkSite(site);
    const rotated = await this.sites.rotateKey(site, id, input.overlap ?? '24h', input.reason ?? null, by(caller));
    const { state, keyId, text } = await this.applied(rotated, response);
    return {
      ...keyView(state.keys.get(keyId)!, this.clock()),
      key: text,
      overlapEndsAt: state.keys.get(id)!.expiresAt!,
    };
  }

  @Post(':site/keys/:id/revoke')
  @HttpCode(200)
  @Operation('revokeKey')
  async revoke(
    @CallerOf() caller: Caller,
    @Param('site') site: string,
    @Param('id') id: string,
    @Input() input: RevokeKeyDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<KeyDto> {
    checkSite(site);
    const { state } = await this.applied(
      await this.sites.revokeKey(site, id, input.reason ?? null, by(caller)),
      response,
    );
    return keyView(state.keys.get(id)!, this.clock());
  }

  private async applied<T extends SiteDone>(done: T | Refusal, response: Response): Promise<T> {
    if (isRefusal(done)) throw new Refused(done);
    if (done.position !== null) {
      response.setHeader(LOG_POSITION_HEADER, formatPosition(done.position));
      // It is recorded; that this instance lags behind must not make it look undone.
      await this.directory.waitFor(done.position, APPLIED_WITHIN_MS).catch(() => undefined);
    }
    return done;
  }
}

const positionOf = (request: Request): Position | null =>
  parsePosition(request.headers[LOG_POSITION_HEADER.toLowerCase()]);

function linkToNext(request: Request, response: Response, page: Page<unknown>): void {
  const link = nextLink(request.originalUrl, page);
  if (link) response.setHeader('Link', link);
}

const by = (caller: Caller) => ({ actor: 'operator', requestId: caller.requestId });
const siteUnknown = () => refused('route_not_found', 'No site has that name; list them with GET /admin/v1/sites.');

function checkSite(site: string): void {
  if (!SITE_PATTERN.test(site)) throw siteUnknown();
}
