import type { Provenance } from '../../consent/index.js';
import { happened, type Decision, type Instant } from '../../kernel/index.js';
import { setPreferences } from '../decide.js';
import type { PreferenceSet, TemplateShown } from '../events.js';
import { isUnsubscribed, topicsOfLink } from './link-standing.js';
import type { PreferenceState } from '../state.js';
import { wishByLink } from './wish-by-link.js';

export interface Unsubscribe {
  recordId: string;
  channel: string;
  topics: readonly string[] | null;
  /** Topics of the channel in the template as it is now. */
  offered: readonly string[];
  template: TemplateShown;
  via: 'PAGE' | 'API';
  provenance: Provenance;
}

/** Who has the link wants no more of it; nothing where that was said before. Topics that the template has dropped are refused all the same. */
export function unsubscribe(
  { recordId, channel, topics, offered, template, via, provenance }: Unsubscribe,
  state: PreferenceState,
  at: Instant,
): Decision<PreferenceSet> {
  const paths = topicsOfLink(channel, topics, offered, state);
  if (paths.length === 0 || isUnsubscribed(paths, state, at)) return happened();
  return setPreferences(
    {
      recordId,
      wishes: paths.map((path) => wishByLink(path, false)),
      source: 'API',
      template,
      collection: { method: 'CONFIRMATION_LINK', surface: via === 'PAGE' ? 'FORM' : 'API' },
      provenance,
      verifiedBy: {},
    },
    state,
    at,
  );
}
