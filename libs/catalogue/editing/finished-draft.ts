import type { Scope } from '../../kernel/index.js';

/**
 * Asks for the files of a draft, checked like files that are applied (CatalogueFolderDto). Refused with
 * `validation_failed` where the draft is not finished. A plain class, because the command line loads this room's services.
 */
export class FinishedDraft {
  constructor(readonly scope: Scope) {}
}
