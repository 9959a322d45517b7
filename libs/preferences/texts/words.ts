import type { Language } from '../../pages/languages.js';
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

/**
 * The texts about confirmations in one language; `README.md` says where they stand. The English file says which there are.
 * Free of advertising, as a mail that asks for consent must be (§ 7 UWG).
 */
export type ConfirmationWords = typeof en;
/** What a page says that has nothing to ask. */
export type NoticeWords = ConfirmationWords['confirmed'];

export const CONFIRMATION_WORDS = { en, de, fr, es, it, nl, pt, pl, sv, tr, uk, ja, ar, he } satisfies Record<
  Language,
  ConfirmationWords
>;
