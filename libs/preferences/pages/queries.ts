/** Asks for the ConfirmPageModel behind a link; changes nothing. */
export class GetConfirmPage {
  constructor(readonly token: string) {}
}

/** Asks for the UnsubscribePageModel behind a link; changes nothing. */
export class GetUnsubscribePage {
  constructor(readonly token: string) {}
}
