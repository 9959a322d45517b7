import type { INestApplication } from '@nestjs/common';
import { DeliveryRunner } from '../deliveries/runner.js';
import {
  cipherWithoutSubject,
  deliverMail,
  MAIL_CHANNEL,
  MAIL_SCHEDULE_MS,
  type MailEvidence,
} from '../deliveries/mail/mail-delivery.js';
import { MailOutbox } from '../deliveries/mail/outbox.js';
import { sealingOf } from '../vault/master-key.js';
import type { Logger } from '../engines/telemetry/logger.js';
import { COMPOSITION } from './contexts.js';
import type { Infrastructure } from './infrastructure/infrastructure.js';

/** Mails of test environments are kept here where no mail server is configured. */
export const outboxOf = ({ requests, master }: Infrastructure): MailOutbox =>
  new MailOutbox(requests, sealingOf(master));

/** Sends enqueued mails to the configured server, or into the outbox where there is none. */
export async function startMail(
  infrastructure: Infrastructure,
  app: INestApplication,
  smtpUrl: string | null,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  const { background, vault, metrics, master } = infrastructure;
  // Loaded only where there is a server.
  const mailer =
    smtpUrl === null
      ? outboxOf(infrastructure)
      : new (await import('../engines/mail/smtp.js')).SmtpMailer({ url: smtpUrl });
  const withoutSubject = cipherWithoutSubject(sealingOf(master));
  const deliver = deliverMail(mailer, async (subjectId) =>
    subjectId === null ? withoutSubject : vault.cipherOf(subjectId),
  );
  const { mailKeeper } = COMPOSITION;
  const keeper = mailKeeper && app.get(mailKeeper, { strict: false });
  const whileWanted = keeper?.whileWanted(deliver) ?? deliver;
  const runner = new DeliveryRunner<MailEvidence>({
    database: background,
    channel: MAIL_CHANNEL,
    deliver: (delivery, signal) => (delivery.subjectId === null ? deliver : whileWanted)(delivery, signal),
    scheduleMs: MAIL_SCHEDULE_MS,
    onFinished: async (delivery, outcome) => {
      if (delivery.subjectId !== null) await keeper?.noteOutcome(delivery, outcome);
    },
    observed: (outcome, seconds) => metrics.delivered(MAIL_CHANNEL, outcome, seconds),
    warn: (fault, error) => logger.warn({ error: (error as Error).name }, fault),
    housekeeping: () => COMPOSITION.prune(background),
  });
  runner.start();
  return { stop: () => runner.stop() };
}
