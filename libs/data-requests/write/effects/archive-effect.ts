import { Injectable } from '@nestjs/common';
import { isRefusal, type Refusal } from '../../../kernel/index.js';
import { ArchiveMaker } from '../../archive/archive-maker.js';
import type { RequestEffect } from '../../events.js';
import type { Completing, Effect, PlannedEffect } from './effect.js';

/** ACCESS and PORTABILITY: everything that is held on the subject is put into one archive. */
@Injectable()
export class ArchiveEffect implements Effect {
  constructor(private readonly archives: ArchiveMaker) {}

  async plan({ scope, request }: Completing): Promise<PlannedEffect | Refusal> {
    return (await this.archives.refuses(scope, request.subjectId)) ?? { kind: 'ARCHIVE' };
  }

  async carryOut({ scope, request }: Completing): Promise<RequestEffect | Refusal> {
    const { locale } = request.texts;
    const wanted = { requestId: request.id, locale: typeof locale === 'string' ? locale : null };
    const made = await this.archives.archiveOf(scope, request.subjectId, wanted);
    return isRefusal(made) ? made : { kind: 'ARCHIVE', archive: { sha256: made.sha256, bytes: made.bytes } };
  }
}
