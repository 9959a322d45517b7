import { Controller, Get, Patch, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { Commands } from '../../commands/commands.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { catalogueStream } from '../../kernel/index.js';
import type { CatalogueSettingsDto, ChangeCatalogueSettingsDto } from '../dto.js';
import { CatalogueStreams } from './catalogue-stream.js';
import { ChangeCatalogueEditing, type EditingChanged } from './change-editing.handler.js';
import { editingOf, type CatalogueEditing } from './settings.js';

@Controller('admin/v1/sites/:site/:env/catalogue/settings')
export class CatalogueSettingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly requests: Commands,
    private readonly streams: CatalogueStreams,
  ) {}

  @Get()
  @Operation('getCatalogueSettings')
  async settings(
    @CallerOf() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueSettingsDto> {
    const { state } = await this.streams.load(catalogueStream(caller));
    response.setHeader('Cache-Control', 'private, no-store');
    return shown(editingOf(state));
  }

  @Patch()
  @Operation('changeCatalogueSettings')
  async change(
    @CallerOf() caller: Caller,
    @Input() input: ChangeCatalogueSettingsDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueSettingsDto> {
    const { editing } = await this.requests.change<EditingChanged>({ caller, input, request, response }, (by) =>
      this.commands.execute(new ChangeCatalogueEditing(caller, input, by)),
    );
    return shown(editing);
  }
}

const shown = (editing: CatalogueEditing): CatalogueSettingsDto => ({ object: 'catalogue_settings', ...editing });
