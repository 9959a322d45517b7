export { entriesOf, ENTRY_COLUMNS, type Entry, type ToldEvent } from './entry.js';
export { eventsOf, eventsOfStreams, familyOfSubject } from './family.js';
export { foldedThrough } from './folded-through.js';
export { ciphersOf, opened, type CipherOf } from './opened.js';
export { RECEIPTED, ReceiptReplay, type MadeReceipt } from './receipt-replay.js';
export { allWords, wordsAbout, type ShownWords } from './shown-words.js';
export { whatStood, type Stood } from './standing.js';
export type { LogAtHand } from './log-at-hand.js';
export { Texts, textsNamedBy } from './texts.js';
