export {
  confirmationMail,
  confirmationText,
  ITEM,
  linksOf,
  mailSubject,
  undoUntil,
  unsubscribeText,
  type Asked,
} from './confirmation.js';
export { fill, named } from './fill.js';
export { directionOf, languageOf, LANGUAGES, WORDS, type Language } from './languages.js';
export type { Notice, Words } from './words.js';
