import type { LogNews } from '../../log/log-reach.js';
import type { InfrastructureOptions } from './infrastructure.js';

/** Where the lines go. pino fits. */
export interface Lines {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** Says once that the log is lost, or waited for at the start, and why; and once that it is there again. */
export function tellOfLog(log: 'EventStoreDB' | 'Postgres', lines: Lines): NonNullable<InfrastructureOptions['tell']> {
  const isAway = { log: false, appends: false };
  return (of, news) => {
    const wasAway = isAway[of];
    isAway[of] = news.is === 'lost' || news.is === 'awaited';
    // A log that does not answer takes no appends either: that is said already.
    if (of === 'appends' && isAway.appends && isAway.log) isAway.appends = false;
    else if ('reason' in news) lines.warn({ log, reason: news.reason }, AWAY[of][news.is]);
    else if (wasAway) lines.info({ log, awayMs: news.afterMs }, BACK[of][news.is]);
  };
}

const AWAY = {
  log: {
    awaited: 'waiting for the event log, which has not answered since the start',
    lost: 'the event log is lost: what needs it is answered 503 until it is back',
  },
  appends: {
    awaited: 'the event log answers, but takes no appends: writes are answered 503',
    lost: 'the event log answers, but takes no appends: writes are answered 503',
  },
} satisfies Record<string, Record<Extract<LogNews, { reason: string }>['is'], string>>;

const BACK = {
  log: { there: 'the event log is there', back: 'the event log is back' },
  appends: { there: 'the event log takes appends', back: 'the event log takes appends again' },
};
