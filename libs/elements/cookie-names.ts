/** Visitor and choice, for all pages of the domain that a page names. */
export const SHARED_COOKIE = 'assent';
/** Place of a choice and until when it counts, for the server that puts the banner into the first HTML. */
export const CHOICE_COOKIE = 'assent-choice';
