import { isRefusal, type Instant, type Refusal } from '../kernel/index.js';
import { applyCatalogue } from './decide.js';
import type { CatalogueDiff } from './decide-document.js';
import type { CatalogueFolderDto } from './dto.js';
import type { CatalogueEvent } from './events.js';
import { filesOf } from './files/files-of-input.js';
import { evolveCatalogue, type CatalogueState } from './state.js';

/** The catalogue as if files were published at a moment. */
export interface AppliedState {
  state: CatalogueState;
  /**
   * When everything that would be published is in force: at the moment itself, or at the latest `effectiveFrom` of the
   * files.
   */
  inForceFrom: Instant;
  changes: readonly CatalogueDiff[];
}

/** The result of publishing files, without publishing them; a Refusal if they would be refused. */
export function ifApplied(input: CatalogueFolderDto, state: CatalogueState, at: Instant): AppliedState | Refusal {
  const decided = applyCatalogue(filesOf(input), state, at);
  if (isRefusal(decided)) return decided;
  return { ...appliedTo(state, decided.events, at), changes: decided.diff ?? [] };
}

/** A catalogue after events of a publication, and when all of them are in force. */
export function appliedTo(
  state: CatalogueState,
  events: readonly CatalogueEvent[],
  at: Instant,
): Omit<AppliedState, 'changes'> {
  const starts = events.flatMap(({ data }) => ('effectiveFrom' in data ? data.effectiveFrom : []));
  return {
    state: events.reduce(evolveCatalogue, state),
    inForceFrom: starts.reduce((latest, start) => (start > latest ? start : latest), at),
  };
}
