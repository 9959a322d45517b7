export { eventsOf, eventsOfStreams, familyOfSubject } from './family.js';
export { foldedThrough } from './folded-through.js';
export { ciphersOf, opened, type CipherOf } from './opened.js';
export { ReceiptReplay } from './receipt-replay.js';
export { allWords, wordsAbout, type ShownWords } from './shown-words.js';
export { whatStood } from './standing.js';
export type { LogAtHand, ShownLog } from './log-at-hand.js';
export { Texts } from './texts.js';
