import type { Provenance } from '../../consent/index.js';
import { plusMs, type Decision, type Instant } from '../../kernel/index.js';
import { setPreferences } from '../decide.js';
import type { PreferenceSet, TemplateShown } from '../events.js';
import { preferenceRefusals } from '../refusals.js';
import type { PreferenceState } from '../state.js';
import { undoStanding } from './undo-standing.js';
import { wishByLink } from './wish-by-link.js';

export interface Undo {
  recordId: string;
  /** The record by a link that is to be taken back. */
  undoes: string;
  template: TemplateShown;
  via: 'PAGE' | 'API';
  provenance: Provenance;
}

/**
 * Takes back what a link did a short while ago. A confirmation becomes a refusal, also where the topic was granted before:
 * a person who undoes a yes says no. Undoing an unsubscription gives back what it took away, confirmed as it was. A topic
 * that was chosen anew since keeps the newer choice.
 */
export function undo(
  { recordId, undoes, template, via, provenance }: Undo,
  state: PreferenceState,
  at: Instant,
): Decision<PreferenceSet> {
  const standing = undoStanding(undoes, state, at);
  if (standing === 'CHANGED_SINCE') return preferenceRefusals.changedSince();
  if (standing === 'OVER') return preferenceRefusals.undoOver();
  const wanted = standing.undoes === 'UNSUBSCRIPTION';
  const { givenAt } = state.topics[standing.paths[0]!]!;
  return setPreferences(
    {
      recordId,
      undoes,
      wishes: standing.paths.map((path) => wishByLink(path, wanted)),
      source: 'API',
      // The clock of the process that unsubscribed may have run ahead of ours; the grant still comes after the refusal.
      ...(wanted && givenAt >= at && { givenAt: plusMs(givenAt, 1) }),
      template,
      collection: { method: 'CONFIRMATION_LINK', surface: via === 'PAGE' ? 'FORM' : 'API' },
      provenance,
      verifiedBy: {},
    },
    state,
    at,
  );
}
