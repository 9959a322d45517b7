/** What a page says that has nothing to ask. */
export interface Notice {
  title: string;
  text: string;
}

/**
 * The texts of one language. Names stand in braces: `{site}`, `{channel}`, `{time}`, `{topics}`. Nothing is counted in them, so that no
 * language needs plural forms, and no name is inflected. Free of advertising, as a mail that asks for consent must be
 * (§ 7 UWG).
 */
export interface Words {
  subject: string;
  title: string;
  /** Before the list of topics. */
  ask: string;
  channel: string;
  /** What happens without the click, and until when it counts. */
  until: string;
  button: string;
  /** On the button of the mail, which only leads to the page. */
  open: string;
  /** Below a mail that the service sends by itself, and below the page that it leads to. */
  mailFooter: string;
  /** The same where the site passed the link on. */
  linkFooter: string;
  confirmed: Notice;
  already: Notice;
  /** The link was used, and the person chose otherwise since. */
  noLonger: Notice;
  /** Before the names of topics that are sent. */
  gets: string;
  getsNot: string;
  /** How to get what is not sent. */
  again: string;
  expired: Notice;
  invalid: Notice;
  /** The request behind the link was taken back. */
  ended: Notice;
  failed: Notice;
  /** On the link to where the person came from. */
  onward: string;
  unsubscribeTitle: string;
  unsubscribeAsk: string;
  unsubscribeFooter: string;
  unsubscribeButton: string;
  unsubscribed: Notice;
  /** On the link to who runs the site, as its law calls that page. */
  imprint: string;
  privacy: string;
  /** On the button that takes back what was just done. */
  undo: string;
  /** Above that button. */
  undoUntil: string;
  /** A confirmation was taken back. */
  undone: Notice;
  /** Unsubscribing was taken back. */
  resubscribed: Notice;
  /** There is nothing to undo: the person chose anew after what the link would have undone. */
  changedSince: Notice;
  undoOver: Notice;
}
