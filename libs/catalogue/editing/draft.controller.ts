import { Controller, Delete, Get, HttpCode, Inject, Post, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Commands } from '../../commands/commands.js';
import { mayAt, TO_DECIDE } from '../../context/roles.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { invalid } from '../../http/errors/refused.js';
import { CATALOGUE, type Catalogue } from '../catalogue.js';
import { CLOCK, isRefusal, type Clock } from '../../kernel/index.js';
import { ifApplied } from '../if-applied.js';
import type { CatalogueFolderDto } from '../dto.js';
import { catalogueVersion } from '../state.js';
import { draftFilesOf, issuesIn } from './draft-files.js';
import { DraftDesk, type DraftAtHand, type DraftChanged, type DraftPublished } from './draft-desk.js';
import type { CatalogueDraftDto, CatalogueVersionDto, SaveDraftDto } from './dto.js';
import { editingOf } from './settings.js';

/** How long a publication waits until this process applies it. */
const APPLIED_WITHIN_MS = 1_500;

/** The draft of a catalogue, which operators write in a browser or with the command line. */
@Controller('admin/v1/sites/:site/:env/catalogue/draft')
export class DraftController {
  constructor(
    private readonly desk: DraftDesk,
    private readonly requests: Commands,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Operation('getCatalogueDraft')
  async draft(@CallerOf() caller: Caller, @Res({ passthrough: true }) response: Response): Promise<CatalogueDraftDto> {
    return this.answer(await this.desk.atHand(caller), response);
  }

  @Put()
  @Operation('saveCatalogueDraft')
  async save(
    @CallerOf() caller: Caller,
    @Input() input: SaveDraftDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueDraftDto> {
    const seen = ifMatch(request);
    const saved = { files: draftFilesOf(input), seen, base: input.base };
    await this.requests.change<DraftChanged>({ caller, input: { ...input, seen }, request, response }, (by) =>
      this.desk.save(caller, saved, by),
    );
    return this.answer(await this.desk.atHand(caller), response);
  }

  @Delete()
  @Operation('discardCatalogueDraft')
  async discard(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueDraftDto> {
    const seen = ifMatch(request);
    await this.requests.change<DraftChanged>({ caller, input: { seen }, request, response }, (by) =>
      this.desk.discard(caller, seen, by),
    );
    return this.answer(await this.desk.atHand(caller), response);
  }

  @Post('publish')
  @HttpCode(200)
  @Operation('publishCatalogueDraft')
  async publish(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueVersionDto> {
    const seen = ifMatch(request);
    const mayDecide = mayAt(caller.roles ?? [], TO_DECIDE, caller);
    const { version, position } = await this.requests.change<DraftPublished>(
      { caller, input: { seen }, request, response },
      (by) => this.desk.publish(caller, seen, mayDecide, by),
    );
    if (position !== null) await this.catalogue.reached(position, APPLIED_WITHIN_MS);
    return { object: 'catalogue_version', ...version } as CatalogueVersionDto;
  }

  private answer({ draft, tag, files, catalogue }: DraftAtHand, response: Response): CatalogueDraftDto {
    const at = this.clock();
    const version = catalogueVersion(catalogue);
    const issues = draft ? issuesIn(files, catalogue, at) : [];
    const applied = draft && issues.length === 0 ? ifApplied(files as CatalogueFolderDto, catalogue, at) : null;
    response.setHeader('ETag', tag);
    response.setHeader('Cache-Control', 'private, no-store');
    return {
      object: 'catalogue_draft',
      state: draft ? 'OPEN' : 'NONE',
      tag,
      files,
      base: draft?.base ?? version,
      version,
      editedAt: draft?.editedAt ?? null,
      editedBy: draft?.editedBy ?? null,
      issues,
      changes: applied === null || isRefusal(applied) ? [] : [...applied.changes],
      settings: { object: 'catalogue_settings', ...editingOf(catalogue) },
    };
  }
}

/** The tag that the operator saw: without it one editor would overwrite another unnoticed. */
function ifMatch({ headers }: Request): string {
  const tag = headers['if-match'];
  if (tag !== undefined && /^"[\w-]{1,40}"$/.test(tag)) return tag;
  throw invalid(
    [{ path: 'If-Match', message: tag === undefined ? 'is required' : 'must be one tag in double quotes' }],
    'Read the draft with GET …/catalogue/draft, and send the ETag of the answer as If-Match.',
  );
}
