import { Query } from '@nestjs/cqrs';
import type { ConfirmPageModel, UnsubscribePageModel } from './model.js';

/** Asks for the ConfirmPageModel behind a link; changes nothing. */
export class GetConfirmPage extends Query<ConfirmPageModel> {
  constructor(readonly token: string) {
    super();
  }
}

/** Asks for the UnsubscribePageModel behind a link; changes nothing. */
export class GetUnsubscribePage extends Query<UnsubscribePageModel> {
  constructor(readonly token: string) {
    super();
  }
}
