import type { DataRequestStateName, DataRequestType } from '../../events.js';
import type { Language } from '../../../pages/languages.js';
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import he from './he.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import sv from './sv.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import uk from './uk.json' with { type: 'json' };

/** What an archive and the page behind its link say in one language. The English file says which texts there are. */
export type ArchiveWords = typeof en;

/** What there has to be a text for, by its code: each kind and state of a request. */
interface Coded {
  kinds: Readonly<Record<DataRequestType, string>>;
  states: Readonly<Record<DataRequestStateName, string>>;
}

export const ARCHIVE_WORDS = { en, de, fr, es, it, nl, pt, pl, sv, tr, uk, ja, ar, he } satisfies Record<
  Language,
  ArchiveWords & Coded
>;
