import type { INestApplication } from '@nestjs/common';
import { DeliveryRunner } from '../platform/deliveries/runner.js';
import { deliverMail, MAIL_CHANNEL, MAIL_SCHEDULE_MS, type MailEvidence } from '../platform/mail/mail-delivery.js';
import { MailOutbox } from '../platform/mail/outbox.js';
import type { Logger } from '../platform/telemetry/logger.js';
import { ConfirmationIndex } from '../preferences/confirmation-index.js';
import { ConfirmationMails } from '../preferences/write/confirmation-mails.js';
import type { Infrastructure } from './infrastructure.js';

/** The mails of test environments, where there is no server to send them; also what is left of them once there is one. */
export const outboxOf = ({ requests, master }: Infrastructure): MailOutbox =>
  new MailOutbox(requests, {
    seal: (purpose, clear) => master.sealSecret(purpose, clear),
    open: (purpose, sealed) => master.openSecret(purpose, sealed),
  });

/** Sends what was enqueued, to a server or into the outbox, for as long as somebody waits for it. */
export async function startMail(
  infrastructure: Infrastructure,
  app: INestApplication,
  smtpUrl: string | null,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  const { background, vault, metrics } = infrastructure;
  const outbox = outboxOf(infrastructure);
  // Loaded only where there is a server.
  const mailer =
    smtpUrl === null ? outbox : new (await import('../platform/mail/smtp.js')).SmtpMailer({ url: smtpUrl });
  const confirmations = app.get(ConfirmationMails, { strict: false });
  const index = new ConfirmationIndex(background);
  const runner = new DeliveryRunner<MailEvidence>({
    database: background,
    channel: MAIL_CHANNEL,
    deliver: confirmations.whileOpen(deliverMail(mailer, (subjectId) => vault.cipherOf(subjectId))),
    scheduleMs: MAIL_SCHEDULE_MS,
    onFinished: (delivery, outcome) => confirmations.noteOutcome(delivery, outcome),
    observed: (outcome, seconds) => metrics.delivered(MAIL_CHANNEL, outcome, seconds),
    warn: (fault, error) => logger.warn({ error: (error as Error).name }, fault),
    housekeeping: () => Promise.all([index.prune(), ...(smtpUrl === null ? [outbox.prune()] : [])]),
  });
  runner.start();
  return { stop: () => runner.stop() };
}
