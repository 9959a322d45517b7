import type { Language } from './languages.js';
import ar from './texts/ar.json' with { type: 'json' };
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import he from './texts/he.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };
import ja from './texts/ja.json' with { type: 'json' };
import nl from './texts/nl.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };
import sv from './texts/sv.json' with { type: 'json' };
import tr from './texts/tr.json' with { type: 'json' };
import uk from './texts/uk.json' with { type: 'json' };

/** On the links to who runs a site, as its law calls that page, and to what the site does with data. */
export type LinkWords = typeof en;

export const LINK_WORDS = { en, de, fr, es, it, nl, pt, pl, sv, tr, uk, ja, ar, he } satisfies Record<
  Language,
  LinkWords
>;
