import { Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SubjectReads } from '../../access/index.js';
import { isRefusal, Refused } from '../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { sendDownload } from '../../http/answers/download.js';
import { ArchiveLinks, downloadOf } from './archive-links.js';
import { LINK_HOURS, type ArchiveLinkDto, type FetchArchiveDto, type LinkArchiveDto } from './dto.js';

/** Links to archives, for those who answer data requests. */
@Controller('v1/data-requests')
export class ArchiveLinkController {
  constructor(
    private readonly links: ArchiveLinks,
    private readonly reads: SubjectReads,
  ) {}

  @Post(':id/archive-link')
  @HttpCode(201)
  @Operation('linkArchive')
  async link(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Input() input: LinkArchiveDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ArchiveLinkDto> {
    const made = await this.links.issue(caller, id, input.expiresInHours ?? LINK_HOURS);
    if (isRefusal(made)) throw new Refused(made);
    // The caller who makes the link can read the archive.
    this.reads.note(caller, made.subjectId);
    response.setHeader('Cache-Control', 'no-store');
    const { url, expiresAt, archive } = made;
    return { url, expiresAt, sha256: archive.sha256, bytes: archive.bytes };
  }
}

/** Fetching an archive: only ever a POST, since programs that scan mails press no buttons. */
@Controller('v1/archive')
export class ArchiveFetchController {
  constructor(private readonly links: ArchiveLinks) {}

  @Post()
  @HttpCode(200)
  @Operation('fetchArchive')
  async fetch(@Input() { token }: FetchArchiveDto, @Res() response: Response): Promise<void> {
    const fetched = await this.links.fetch(token);
    if (isRefusal(fetched)) throw new Refused(fetched);
    await sendDownload(response, downloadOf(fetched));
  }
}
