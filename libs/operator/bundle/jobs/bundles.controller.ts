import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { EVERYBODY, SubjectReads } from '../../../access/index.js';
import { isId, isRefusal, parseInstant, plusMs, Refused, refusal, type Instant } from '../../../kernel/index.js';
import { CallerOf, Input, type Caller } from '../../../http/caller.js';
import { sendDownload } from '../../../http/answers/download.js';
import { Operation } from '../../../http/contract/operation.js';
import { invalid, refused } from '../../../http/errors/refused.js';
import { Database } from '../../../engines/database/database.js';
import { Vault } from '../../../vault/vault.js';
import { subjectNamed } from '../../export/subject-named.js';
import { BUNDLE_DAYS, BundleJobs, type BundleJob } from './bundle-jobs.js';
import type { AskAuditBundleDto, AuditBundleDto, AuditBundleListDto } from './dto.js';

const DAY_MS = 86_400_000;

/** Archives for auditors, which a dispatcher makes. */
@Controller('admin/v1/sites/:site/:env/audit-bundles')
export class AuditBundlesController {
  private readonly jobs: BundleJobs;

  constructor(
    database: Database,
    private readonly vault: Vault,
    private readonly reads: SubjectReads,
  ) {
    this.jobs = new BundleJobs(database);
  }

  @Post()
  @HttpCode(202)
  @Operation('askAuditBundle')
  async ask(@CallerOf() caller: Caller, @Input() input: AskAuditBundleDto): Promise<AuditBundleDto> {
    const { site, env, keyId } = caller;
    const { subject, since, through, readsUntil } = input;
    if ((subject === undefined) === (since === undefined))
      throw invalid([{ path: 'subject', message: 'say about whom, or since when; not both' }]);
    const asked = await this.jobs.ask(
      {
        ...{ site, env },
        subjectId:
          subject === undefined ? null : await subjectNamed({ vault: this.vault }, { subject, scope: { site, env } }),
        since: instant(since),
        through: through === undefined ? null : BigInt(through),
        readsUntil: instant(readsUntil),
      },
      keyId!,
    );
    if (isRefusal(asked)) throw new Refused(asked);
    return shown(asked);
  }

  @Get()
  @Operation('listAuditBundles')
  async list(@CallerOf() caller: Caller): Promise<AuditBundleListDto> {
    return { data: (await this.jobs.list(caller)).map(shown) };
  }

  @Get(':id')
  @Operation('getAuditBundle')
  async get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<AuditBundleDto> {
    return shown(await this.found(caller, id));
  }

  @Get(':id/download')
  @Operation('downloadAuditBundle')
  async download(@CallerOf() caller: Caller, @Param('id') id: string, @Res() response: Response): Promise<void> {
    const job = await this.found(caller, id);
    if (job.made === null)
      throw new Refused(
        refusal(
          'state_conflict',
          `The bundle is ${job.state}.`,
          'Fetch it when its state is READY; a FAILED one says why.',
        ),
      );
    this.reads.note(caller, job.subjectId ?? EVERYBODY);
    await sendDownload(response, {
      fileName: `${job.id}.zip`,
      mediaType: 'application/zip',
      bytes: job.made.bytes,
      content: this.jobs.content(job),
    });
  }

  private async found(caller: Caller, id: string): Promise<BundleJob> {
    const job = isId('abn', id) ? await this.jobs.find(caller, id) : null;
    if (job === null) throw refused('audit_bundle_not_found');
    return job;
  }
}

const instant = (text: string | undefined): Instant | null => (text === undefined ? null : parseInstant(text));

function shown(job: BundleJob): AuditBundleDto {
  const { id, state, progress, subjectId, since, through, askedBy, askedAt, finishedAt, made, problem } = job;
  return {
    object: 'audit_bundle',
    ...{ id, state, progress, subjectId, since },
    through: through === null ? null : String(through),
    ...{ askedBy, askedAt, finishedAt },
    expiresAt: finishedAt && plusMs(finishedAt, BUNDLE_DAYS * DAY_MS),
    records: made?.records ?? null,
    receipts: made?.receipts ?? null,
    bytes: made?.bytes ?? null,
    sha256: made?.sha256 ?? null,
    problem,
  };
}
