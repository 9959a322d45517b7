import type { IncomingMessage } from 'node:http';
import { acceptedLocales } from '../../pages/locale.js';
import { isForm } from '../../http/contract/body.js';
import type { ErrorCode } from '../../http/errors/status.js';
import { noticePage, type NoticeName } from './pages.js';
import { pageHeaders } from '../../pages/send.js';

const PAGES = /^[^?]*\/v1\/preferences\/(confirm|unsubscribe|undo)\/?(\?|$)/;
const NOTICES: Partial<Record<ErrorCode, NoticeName>> = { token_invalid: 'invalid', token_expired: 'expired' };

/** The error as a page, where a person in a browser is waiting for one; null: it is answered as JSON. For the ErrorFilter. */
export function errorPage(
  req: IncomingMessage & { originalUrl?: string },
  code: ErrorCode,
): { html: string; headers: Record<string, string | number> } | null {
  const byPerson = req.method === 'GET' || req.method === 'HEAD' || (req.method === 'POST' && isForm(req));
  if (!byPerson || !PAGES.test(req.originalUrl ?? req.url ?? '')) return null;
  const page = noticePage(NOTICES[code] ?? 'failed', acceptedLocales(req.headers['accept-language']));
  return { html: page.html, headers: pageHeaders(page) };
}
