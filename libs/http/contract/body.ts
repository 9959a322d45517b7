import type { IncomingMessage } from 'node:http';
import type { Refused } from '../../kernel/index.js';
import { scanJson } from './json-scan.js';
import { refused } from '../errors/refused.js';

/** How long a body may take to arrive. */
export const BODY_TIMEOUT_MS = 10_000;
/** How much of a refused body is still read, so that the client can read the answer before the connection closes. */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;

export interface BodyRules {
  limitBytes: number;
  tooLarge?: 'body_too_large' | 'batch_too_large';
  /** Default 10 s. */
  timeoutMs?: number;
  /** Called with the size of the whole body before it is parsed. An error that it throws becomes the answer. */
  arrived?: (bytes: number) => void | Promise<void>;
}

/**
 * Reads the JSON body of a request. Refuses JSON that two parsers could understand differently. Codes:
 * `unsupported_media_type`, `body_too_large` or `batch_too_large`, and `malformed_json`.
 * Keys such as `__proto__` survive as plain fields; no contract declares them, so validation refuses them.
 */
export async function readJsonBody(req: IncomingMessage, rules: BodyRules): Promise<unknown> {
  requireJson(req);
  return parsed(await readBytes(req, rules), rules);
}

/**
 * The same where a body may be left out: undefined for none and for an empty one, whatever its Content-Type, since many
 * clients send one with every POST.
 */
export async function readOptionalJsonBody(req: IncomingMessage, rules: BodyRules): Promise<unknown> {
  const { headers } = req;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return undefined;
  // Without a Content-Length only the end shows that a body is empty.
  const bytes = await readBytes(req, rules);
  if (bytes.length === 0) return undefined;
  requireJson(req);
  return parsed(bytes, rules);
}

async function parsed(bytes: Buffer, { arrived }: BodyRules): Promise<unknown> {
  await arrived?.(bytes.length);
  return parseJson(bytes);
}

function requireJson(req: IncomingMessage): void {
  const type = req.headers['content-type'] ?? '';
  const parts = /^application\/json\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?;?\s*$/i.exec(type);
  if (!parts || !['utf-8', 'utf8'].includes((parts[1] ?? 'utf-8').toLowerCase()))
    throw refused('unsupported_media_type');
  requirePlain(req);
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/** Whether a person's browser, or a mail program, posts a form. */
export const isForm = (req: IncomingMessage): boolean => FORM.test(req.headers['content-type'] ?? '');

/** Reads a posted form of single texts, in either encoding (RFC 8058 3.2 asks for both). Refuses as readJsonBody does. */
export async function readFormBody(req: IncomingMessage, rules: BodyRules): Promise<Record<string, string>> {
  requirePlain(req);
  const bytes = await readBytes(req, rules);
  const posted = await new Response(new Uint8Array(bytes), {
    headers: { 'Content-Type': req.headers['content-type']! },
  })
    .formData()
    .catch(() => {
      throw refused('malformed_json', 'Send the form as its Content-Type says.');
    });
  const fields: [string, string][] = [];
  posted.forEach((value, name) => {
    if (typeof value !== 'string' || fields.some(([known]) => known === name))
      throw refused('malformed_json', 'Send each field of the form once, as text.');
    fields.push([name, value]);
  });
  return Object.fromEntries(fields);
}

/**
 * The token in a body, of any content type and beside any other fields. Mail programs post no body, no type, fields in
 * other letter case, line breaks, or fields of their own (RFC 8058 3.2 names only one field). A body that cannot be read
 * has no token. Refuses a body that is too large, or that does not arrive.
 */
export async function readTokenBody(req: IncomingMessage, rules: BodyRules): Promise<{ token?: string }> {
  const bytes = await readBytes(req, rules);
  const token = (tokenOfJson(bytes) ?? (await tokenOfForm(bytes, req)))?.trim();
  return token ? { token } : {};
}

function tokenOfJson(bytes: Buffer): string | undefined {
  try {
    const { token } = (parseJson(bytes) ?? {}) as { token?: unknown };
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}

async function tokenOfForm(bytes: Buffer, req: IncomingMessage): Promise<string | undefined> {
  const type = isForm(req) ? req.headers['content-type']! : 'application/x-www-form-urlencoded';
  const form = new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData();
  const token = await form.then((fields) => fields.get('token')).catch(() => null);
  return typeof token === 'string' ? token : undefined;
}

function requirePlain(req: IncomingMessage): void {
  const coding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && coding !== '')
    throw refused('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.', [], {
      'Accept-Encoding': 'identity',
    });
}

function readBytes(
  req: IncomingMessage,
  { limitBytes, tooLarge = 'body_too_large', timeoutMs = BODY_TIMEOUT_MS }: BodyRules,
): Promise<Buffer> {
  const over = (): Refused =>
    refused(
      tooLarge,
      `Send at most ${limitBytes} bytes in one request${tooLarge === 'batch_too_large' ? '; split the batch' : ''}.`,
    );
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) {
    drain(req);
    return Promise.reject(over());
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (outcome: () => void): void => {
      clearTimeout(timer);
      req.off('data', take).off('end', end).off('error', gone).off('close', gone);
      outcome();
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limitBytes) return void chunks.push(chunk);
      done(() => {
        drain(req);
        reject(over());
      });
    };
    const end = (): void => done(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    const gone = (): void =>
      done(() => reject(refused('malformed_json', 'The connection ended before the body did; send the whole body.')));
    const late = (): void =>
      done(() => {
        drain(req);
        reject(
          refused(
            'malformed_json',
            `The body did not arrive within ${timeoutMs / 1000} seconds; send it in one go.`,
            [],
            { Connection: 'close' },
          ),
        );
      });
    const timer = setTimeout(late, timeoutMs).unref();
    req.on('data', take).on('end', end).on('error', gone).on('close', gone);
  });
}

/** Reads the rest of a body and drops it. Closing at once would reset the connection and lose the answer on its way. */
function drain(req: IncomingMessage): void {
  let left = DRAIN_BYTES_MAX;
  req.on('error', () => undefined);
  req.on('data', (chunk: Buffer) => {
    if ((left -= chunk.length) < 0) req.socket.destroy();
  });
  req.resume();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Exported for bodies that arrive elsewhere than in a request, such as imports. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw refused('malformed_json', 'Send the body in UTF-8; it holds bytes that are not.');
  }
  if (text.trim() === '') throw refused('malformed_json', 'The body is empty; send one JSON object.');
  const fault = scanJson(text);
  if (!fault) return JSON.parse(text) as unknown;
  const before = text.slice(0, fault.at).split('\n');
  const place = `position ${fault.at} (line ${before.length}, column ${before.at(-1)!.length + 1})`;
  throw refused('malformed_json', `Look at ${place}: ${fault.reason}.`, [
    { path: '', message: `${fault.reason}, at ${place}` },
  ]);
}
