import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { cmpNamed, KeyDirectory, NO_FRAMEWORKS } from '../../access/index.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { refused } from '../../http/errors/refused.js';
import { CLOCK, type Clock } from '../../kernel/index.js';
import { placeNamed } from '../../policy/services.js';
import { DraftDesk } from '../editing/draft-desk.js';
import { draftFilesOf } from '../editing/draft-files.js';
import type { BannerPreviewDto, PreviewBannerDto } from './dto.js';
import { bannerPreview } from './preview.js';

/** What a banner would look like, for operators: nothing is written, counted or signed. */
@Controller('admin/v1/sites/:site/:env/banner/preview')
export class BannerPreviewController {
  constructor(
    private readonly desk: DraftDesk,
    private readonly directory: KeyDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation('previewBanner')
  async preview(
    @CallerOf() caller: Caller,
    @Input() { files, country, region, locale, model }: PreviewBannerDto,
  ): Promise<BannerPreviewDto> {
    const site = this.directory.site(caller.site);
    if (!site) throw refused('route_not_found', 'There is no such site.');
    const place = placeNamed(country, region)!;
    const atHand = files ? null : await this.desk.atHand(caller);
    const looked = files ? draftFilesOf(files) : atHand!.draft ? atHand!.files : null;
    const { frameworks = NO_FRAMEWORKS, languages } = site.settings;
    const { banner, findings } = bannerPreview(
      {
        files: looked,
        place: { ...place, country: place.country! },
        locales: locale === undefined ? [] : [locale],
        ...(model !== undefined && { model }),
      },
      atHand?.catalogue ?? (await this.desk.catalogue(caller)),
      { frameworks: { cmp: cmpNamed(frameworks, caller.env), gpp: frameworks.gpp }, languages },
      this.clock(),
    );
    return {
      object: 'banner_preview',
      of: files ? 'FILES' : looked ? 'DRAFT' : 'PUBLISHED',
      banner: { ...banner, presentationToken: null },
      findings,
    };
  }
}
