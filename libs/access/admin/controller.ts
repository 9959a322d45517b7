import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { mayAt, sitesOf, TO_READ_SETTINGS } from '../../context/roles.js';
import {
  CLOCK,
  ENVIRONMENTS,
  parseInstant,
  Refused,
  SITE_PATTERN,
  type Clock,
  type Refusal,
} from '../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { ListQuery, paged } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { KeyDirectory } from '../sites/key-directory.js';
import { KeyUse } from '../sites/key-use.js';
import { Commands, type ChangedBy } from '../../commands/commands.js';
import { Sites, type SiteDone } from '../sites/sites.js';
import type { KeyState } from '../state.js';
import { unknownSite } from '../sites/unknown-site.js';
import type { BrandDto, ChangeBrandDto } from './brand.dto.js';
import { brandView } from './brand.view.js';
import {
  KeyListQuery,
  type ChangeOriginsDto,
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

/** How long a change waits until this process applies it itself. */
const APPLIED_WITHIN_MS = 1_500;

/** Sites and keys, for the operator. Every change is an event with its operator and time. */
@Controller('admin/v1/sites')
export class SitesController {
  constructor(
    private readonly sites: Sites,
    private readonly directory: KeyDirectory,
    private readonly uses: KeyUse,
    private readonly lists: OperatorLists,
    private readonly commands: Commands,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Operation('listSites')
  async list(
    @CallerOf() { roles }: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteListDto> {
    const query = readQuery(ListQuery, request.originalUrl);
    const page = await this.lists.sites(query, positionIn(request.headers), sitesOf(roles!));
    paged(request, response, page);
    return { ...page, data: page.data.map(siteView) };
  }

  @Post()
  @HttpCode(201)
  @Operation('registerSite')
  async register(
    @CallerOf() caller: Caller,
    @Input() input: RegisterSiteDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteDto> {
    const { site, ...settings } = input;
    const { state } = await this.change(caller, site, input, request, response, (by) =>
      this.sites.register(site, settings, by),
    );
    return siteView(state);
  }

  @Post(':site/origins')
  @HttpCode(200)
  @Operation('changeOrigins')
  async origins(
    @CallerOf() caller: Caller,
    @Param('site') site: string,
    @Input() input: ChangeOriginsDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SiteDto> {
    const { env, add = [], remove = [] } = input;
    const { state } = await this.change(caller, site, input, request, response, (by) =>
      this.sites.changeOrigins(site, { env, add, remove }, by),
    );
    return siteView(state);
  }

  @Get(':site/brand')
  @Operation('getBrand')
  brand(@Param('site') site: string): BrandDto {
    const known = this.directory.site(site);
    if (!known) throw new Refused(unknownSite(site, this.directory));
    return brandView(known);
  }

  @Post(':site/brand')
  @HttpCode(200)
  @Operation('changeBrand')
  async changeBrand(
    @CallerOf() caller: Caller,
    @Param('site') site: string,
    @Input() input: ChangeBrandDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BrandDto> {
    const { logo, ...change } = input;
    const bytes = logo ? Buffer.from(logo.data, 'base64') : logo;
    const { state } = await this.change(caller, site, input, request, response, (by) =>
      this.sites.changeBrand(site, { ...change, ...(bytes !== undefined && { logo: bytes }) }, by),
    );
    return brandView(state);
  }

  @Get(':site/keys')
  @Operation('listKeys')
  async keys(
    @CallerOf() { roles }: Caller,
    @Param('site') site: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<KeyListDto> {
    const at = this.clock();
    const envs = ENVIRONMENTS.filter((env) => mayAt(roles!, TO_READ_SETTINGS, { site, env }));
    const page = await this.lists.keys(
      site,
      { ...readQuery(KeyListQuery, request.originalUrl), envs },
      at,
      positionIn(request.headers),
    );
    if (!page) throw new Refused(unknownSite(site, this.directory));
    const lastUsed = await this.uses.lastUsed(page.data.map(({ keyId }) => keyId));
    paged(request, response, page);
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
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssuedKeyDto> {
    const { expiresAt, ...more } = input;
    const wanted = { ...more, ...(expiresAt !== undefined && { expiresAt: parseInstant(expiresAt)! }) };
    const { state, keyId, text } = await this.change(caller, site, input, request, response, (by) =>
      this.sites.issueKey(site, wanted, by),
    );
    return { ...viewAtIssue(state.keys.get(keyId)!), key: text };
  }

  @Post(':site/keys/:id/rotate')
  @HttpCode(201)
  @Operation('rotateKey')
  async rotate(
    @CallerOf() caller: Caller,
    @Param('site') site: string,
    @Param('id') id: string,
    @Input() input: RotateKeyDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RotatedKeyDto> {
    const { state, keyId, text } = await this.change(caller, site, input, request, response, (by) =>
      this.sites.rotateKey(site, id, input.overlap ?? '24h', input.reason ?? null, by),
    );
    return { ...viewAtIssue(state.keys.get(keyId)!), key: text, overlapEndsAt: state.keys.get(id)!.expiresAt! };
  }

  @Post(':site/keys/:id/revoke')
  @HttpCode(200)
  @Operation('revokeKey')
  async revoke(
    @CallerOf() caller: Caller,
    @Param('site') site: string,
    @Param('id') id: string,
    @Input() input: RevokeKeyDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<KeyDto> {
    const { state } = await this.change(caller, site, input, request, response, (by) =>
      this.sites.revokeKey(site, id, input.reason ?? null, by),
    );
    return keyView(state.keys.get(id)!, this.clock());
  }

  /** Changes a site at most once under the key of the request, and waits until this process applies the change. */
  private async change<T extends SiteDone>(
    caller: Caller,
    site: string,
    input: unknown,
    request: Request,
    response: Response,
    carryOut: (by: ChangedBy) => Promise<T | Refusal>,
  ): Promise<T> {
    if (!SITE_PATTERN.test(site) && caller.site !== '') throw new Refused(unknownSite(site, this.directory));
    const done = await this.commands.change<T>({ caller, input, request, response }, carryOut);
    // The change is recorded. A late process must not make it look as if it failed.
    if (done.position !== null) await this.directory.waitFor(done.position, APPLIED_WITHIN_MS).catch(() => undefined);
    return done;
  }
}

/** The key as of its issue, so that a repeated request gets the same answer at any time. */
const viewAtIssue = (key: KeyState): KeyDto => keyView(key, key.issuedAt);
