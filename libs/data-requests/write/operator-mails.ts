import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { enqueue } from '../../deliveries/queue.js';
import { composeMail } from '../../deliveries/mail/compose.js';
import { cipherWithoutSubject, mailDelivery } from '../../deliveries/mail/mail-delivery.js';
import { MAIL_HAS_SERVER, MAIL_SENDER, messageIdOf, OPERATOR_ADDRESS, type Sender } from '../../engines/mail/mail.js';
import { MasterKey } from '../../vault/master-key.js';
import type { DataRequestEvent } from '../events.js';

/** The heading of the operator's mail, by the event that it announces. */
const HEADINGS: Readonly<Partial<Record<DataRequestEvent['type'], string>>> = {
  DataRequestReceived: 'A data request came in',
  DataRequestDueSoon: 'A data request has to be answered soon',
  DataRequestOverdue: 'A data request should have been answered by now',
};

/**
 * Mails to the operator, where an address is set. Nothing of them is personal: they name a request by its id. Each is
 * enqueued before its event, under a key of its own, so that it is sent once even where a process dies in between.
 */
@Injectable()
export class OperatorMails {
  constructor(
    private readonly database: Database,
    private readonly master: MasterKey,
    @Inject(OPERATOR_ADDRESS) private readonly address: string | null,
    @Inject(MAIL_SENDER) private readonly sender: Sender,
    @Inject(MAIL_HAS_SERVER) private readonly hasServer: boolean,
  ) {}

  /** Does nothing for events that the operator is not warned of. */
  async tell(scope: Scope, { type, data }: DataRequestEvent): Promise<void> {
    const heading = HEADINGS[type];
    if (heading === undefined || this.address === null || (!this.hasServer && scope.env === 'live')) return;
    const { requestId, type: requested, receivedAt, dueAt } = data;
    const key = type === 'DataRequestReceived' ? `${type}/${requestId}` : `${type}/${requestId}/${dueAt ?? ''}`;
    const place = `--site ${scope.site} --env ${scope.env}`;
    const content = {
      language: 'en',
      dir: 'ltr' as const,
      heading: `${heading}.`,
      paragraphs: [
        `Type: ${requested}`,
        `Request: ${requestId}`,
        `Site: ${scope.site} (${scope.env})`,
        `Received: ${receivedAt}`,
        dueAt === null ? 'The law of the place sets no date.' : `To be answered before: ${dueAt}`,
        `All of it: assent requests show ${requestId} ${place}`,
      ],
      footer: ['You get this because the service is set up to tell this address of data requests.'],
    };
    const mail = {
      messageId: messageIdOf(key, this.sender.address.slice(this.sender.address.lastIndexOf('@') + 1)),
      subject: `${heading}: ${requested}, ${scope.site} (${scope.env})`,
      to: this.address,
      from: this.sender,
      ...composeMail(content),
      headers: {},
      language: content.language,
      dir: content.dir,
    };
    const cipher = cipherWithoutSubject({
      seal: (purpose, clear) => this.master.sealSecret(purpose, clear),
      open: (purpose, sealed) => this.master.openSecret(purpose, sealed),
    });
    await enqueue(this.database, [mailDelivery({ key, scope, subjectId: null, mail }, cipher)]);
  }
}
