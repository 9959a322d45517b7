import createClient, { type Middleware } from 'openapi-fetch';
import { signal } from '@preact/signals';
import { ABOUT } from '../about.js';
import { Problem } from './problem.js';
import type { paths } from './schema.js';

/** Grows each time the service says that the session is over. The frame signs in anew then. */
export const sessionEnded = signal(0);

/** The newest position in the log that an own change reached. Reads ask for rows that include it. */
let position: string | null = null;
const POSITION = 'X-Log-Position';

const session: Middleware = {
  onRequest({ request }) {
    request.headers.set('Assent-Console', '1');
    if (request.method === 'GET' && position !== null) request.headers.set(POSITION, position);
    return request;
  },
  onResponse({ request, response }) {
    if (request.method !== 'GET') position = response.headers.get(POSITION) ?? position;
    if (response.status === 401 && !new URL(request.url).pathname.endsWith('/session')) sessionEnded.value += 1;
  },
};

/** Every call of the console. `/admin/v1` is all that it knows. */
export const api = createClient<paths>({ baseUrl: location.origin + ABOUT.prefix, cache: 'no-store' });
api.use(session);

type Answered<T> = { data?: T; error?: unknown; response: Response };

/** What was answered; throws a Problem where the service refuses or cannot be reached. */
export async function answered<T>(call: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await call.catch(() => {
    throw Problem.offline();
  });
  if (error !== undefined || !response.ok) throw Problem.of(response.status, error);
  return data as T;
}
