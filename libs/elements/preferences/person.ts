import { recordConsentBatch } from '../../client/consent.js';
import { AssentError } from '../../client/errors.js';
import { randomId } from '../../client/page.js';
import { subjectPath } from '../../client/sending/address.js';
import { Connection, type ConnectionOptions } from '../../client/sending/connection.js';
import type {
  BatchItem,
  BatchResult,
  ConsentState,
  PreferenceRecord,
  Preferences,
  PreferenceTemplate,
  Purpose,
  PurposeList,
  Receipt,
  RecordPreferences,
} from '../../client/types.js';
import type { Settings } from '../settings.js';

/** For a call with all its tries, in milliseconds. */
const PATIENCE_MS = 30_000;
/** Items of a page of purposes: the most that the service answers. */
const LIST_LIMIT = 200;

export type TokenGiven = ConnectionOptions['identityToken'];

/** What a request looks like to the person who made it (`OwnRequest` of `POST /v1/data-requests/portal`). */
export interface OwnRequest {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly receivedAt: string;
  readonly dueAt: string | null;
  readonly extendedDueAt: string | null;
  /** One of this type was open already, which is this one. */
  readonly duplicate: boolean;
}

/** Whom a token vouches for, and what it allows. */
export interface Vouched {
  subject: string;
  /** Undefined: all that a public key may do. */
  scopes: readonly string[] | undefined;
}

/** What stands in a token. The service verifies it; here only what it names is read. Null where it is no token. */
export function vouchedBy(token: string): Vouched | null {
  try {
    const bytes = atob(token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/'));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (sign) => sign.charCodeAt(0)));
    const { aud, sub, scope } = JSON.parse(text) as { aud?: string; sub?: string; scope?: string[] };
    if (typeof sub !== 'string') return null;
    // The token of a portal names the id of the subject.
    return { subject: aud === 'consent-portal' ? `subject:${sub}` : sub, scopes: scope };
  } catch {
    return null;
  }
}

/** What one person asks of the service, with the public key of the page and a token. Calls reject with an AssentError. */
export class Person {
  readonly connection: Connection;
  subject = '';
  /** What was sent last, and the key under which it is sent again. */
  private sent = { text: '', idempotencyKey: '' };

  constructor(
    private readonly settings: Settings,
    identityToken: () => Promise<string | null>,
  ) {
    const { baseUrl, key } = settings;
    this.connection = new Connection({ baseUrl, apiKey: key, timeoutMs: PATIENCE_MS, identityToken });
  }

  async purposes(locale: string): Promise<Purpose[]> {
    const all: Purpose[] = [];
    for (let cursor: string | undefined; ;) {
      const list: PurposeList = await this.read('/v1/purposes', { locale, limit: LIST_LIMIT, cursor });
      all.push(...list.data);
      if (list.nextCursor === null) return all;
      cursor = list.nextCursor;
    }
  }

  purposeVersion(key: string, version: number, locale: string): Promise<Purpose> {
    return this.read(`/v1/purposes/${encodeURIComponent(key)}/versions/${version}`, { locale });
  }

  consents(): Promise<ConsentState> {
    const { country, region } = this.settings;
    return this.read(subjectPath(this.subject, '/consent'), { country, region });
  }

  template(locale: string): Promise<PreferenceTemplate> {
    return this.read('/v1/preference-template', { locale });
  }

  preferences(): Promise<Preferences> {
    return this.read(subjectPath(this.subject, '/preferences'));
  }

  receipt(id: string): Promise<Receipt> {
    return this.read(`/v1/receipts/${id}`);
  }

  async decide(
    choice: Pick<BatchItem, 'purpose' | 'purposeVersion' | 'decision'>,
    locale: string,
  ): Promise<NonNullable<BatchResult['results'][number]['record']>> {
    const { country, region } = this.settings;
    const record: BatchItem = {
      subject: this.subject,
      ...choice,
      ...(country !== undefined && {
        jurisdiction: { country, ...(region !== undefined && { region }), source: 'DECLARED' as const },
      }),
      collection: { method: 'TOGGLE', ...this.where(locale) },
    };
    const { results } = await recordConsentBatch(this.connection, [record], {
      mode: 'ATOMIC',
      idempotencyKey: this.keyOf(record),
    });
    const [{ error, record: recorded }] = results as [BatchResult['results'][number]];
    if (error) throw new AssentError(error, 422);
    this.sent.text = '';
    return recorded!;
  }

  /** All of it or nothing. */
  save(said: Pick<RecordPreferences, 'values' | 'globalOptOut'>, locale: string): Promise<PreferenceRecord> {
    return this.write('/v1/preferences', { ...said, collection: { method: 'SAVE_CHOICES', ...this.where(locale) } });
  }

  async ask(type: string, details: string, locale: string): Promise<OwnRequest> {
    const { request } = await this.write<{ request: OwnRequest }>('/v1/data-requests/portal', {
      type,
      locale,
      ...(details !== '' && { details }),
    });
    return request;
  }

  private read<T>(path: string, query: object = {}): Promise<T> {
    return this.connection.read(path, query);
  }

  private where(locale: string): { surface: 'PREFERENCE_CENTER'; url: string; locale: string } {
    return { surface: 'PREFERENCE_CENTER', url: location.href, locale };
  }

  private async write<T>(path: string, content: object): Promise<T> {
    const body = { subject: this.subject, ...content };
    const answer = await this.connection.write<T>(path, body, { idempotencyKey: this.keyOf(body) });
    this.sent.text = '';
    return answer;
  }

  /** The same for what is sent again because no answer came. */
  private keyOf(body: object): string {
    const text = JSON.stringify(body);
    if (this.sent.text !== text) this.sent = { text, idempotencyKey: randomId() };
    return this.sent.idempotencyKey;
  }
}
