export { confirmationMail, confirmationText, ITEM, mailSubject, unsubscribeText, type Asked } from './confirmation.js';
export { directionOf, languageOf, LANGUAGES, WORDS, type Language } from './languages.js';
export type { Notice, Words } from './words.js';
