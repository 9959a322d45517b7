/** What one page says that has nothing else to show. */
export interface Said {
  title: string;
  text: string;
}

/**
 * The texts of the portal in one language. Names stand in braces: `{site}`, `{address}`, `{time}`. Nothing is counted in
 * them, so that no language needs plural forms, and no name is inflected.
 */
export interface PortalWords {
  /** Of every page. */
  title: string;
  skip: string;
  menu: string;
  signOut: string;
  back: string;
  signIn: Said;
  /** Of the page that belongs to no site. */
  entryText: string;
  entryLabel: string;
  entryButton: string;
  entryUnknown: string;
  email: string;
  sendCode: string;
  codeSent: string;
  code: string;
  enterCode: string;
  newCode: string;
  /** For who has scripts switched off. */
  linkNeedsScript: string;
  /** Beside the button that signs in by a link: nobody is signed in by following one. */
  linkReady: string;
  /** Of who signed in by an address that may be somebody else's. */
  limited: string;
  codeWrong: string;
  codeOver: string;
  /** Of codes, and of pages. */
  tooMany: string;
  linkOver: string;
  sessionOver: string;
  failed: string;
  notAllowed: string;
  checkEntry: string;
  saved: string;
  nothingHere: string;

  preferences: string;
  noMessages: string;
  noMessagesHelp: string;
  howOften: string;
  pauseUntil: string;
  noAnswer: string;
  waiting: string;
  save: string;

  consents: string;
  consentsText: string;
  allowed: string;
  notAllowedState: string;
  agreedOn: string;
  refusedOn: string;
  withdrawnOn: string;
  objectedOn: string;
  acknowledgedOn: string;
  expiredOn: string;
  silent: string;
  needed: string;
  goodUntil: string;
  about: string;
  agreedTo: string;
  dataUsed: string;
  recipients: string;
  keptFor: string;
  controller: string;
  agree: string;
  withdraw: string;
  object: string;

  receipts: string;
  receiptsText: string;
  noReceipts: string;
  olderReceipts: string;
  receipt: string;
  receiptText: string;
  receiptValid: string;
  receiptVerifiedHere: string;
  receiptNotValid: string;
  download: string;

  requests: string;
  requestsText: string;
  newRequest: string;
  kindOfRequest: string;
  details: string;
  corrections: string;
  /** Names `wrongOne` and `rightOne`. */
  correctionsText: string;
  wrongOne: string;
  rightOne: string;
  country: string;
  language: string;
  /** Of a country and a language, in place of one. */
  asItIs: string;
  remove: string;
  sendRequest: string;
  requestSent: string;
  requestOpen: string;
  noRequests: string;
  receivedOn: string;
  answerBy: string;
  answeredOn: string;

  /** Of the mail with the code. */
  mailSubject: string;
  mailSignIn: string;
  mailRequest: string;
  mailUntil: string;
  mailFooter: string;
}
