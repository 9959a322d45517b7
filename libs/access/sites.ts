import { randomBytes, randomUUID } from 'node:crypto';
import type { Codec } from '../event-log/codec.js';
import type { EventLog } from '../event-log/port.js';
import { Stream, type Happened, type Intent } from '../event-log/stream.js';
import type { StreamFold } from '../event-log/stream-fold.js';
import {
  type Position,
  fold,
  isRefusal,
  refusal,
  siteStream,
  systemClock,
  uuidV5,
  type Clock,
  type Environment,
  type Instant,
  type RandomBytes,
  type Refusal,
} from '../kernel/index.js';
import type { KeyType } from '../context/scopes.js';
import { hashOfSecret, identityMacKey, lastFour, mintKey } from './api-key.js';
import type { BrandChange } from './brand.js';
import {
  decideSite,
  unknownKey,
  type ChangeOrigins,
  type Overlap,
  type RotateKey,
  type SiteCommand,
  type WantedSettings,
} from './decide.js';
import type { SiteEvent } from './events.js';
import type { OperatorKey } from './operator-requests.js';
import { EVERY_SCOPE, type GrantedScope } from '../context/scopes.js';
import { identityKeyPurpose, type Sealer } from './sealer.js';
import { siteFold, type SiteState } from './state.js';

/** Who did it, for the event's metadata. */
export interface By {
  /** `operator:opt_…` by the token that was shown, or `system:<what>`. */
  actor: string;
  requestId?: string;
  /** Of the request, where it has one: what stands under it is answered again and not done twice. */
  key?: OperatorKey | null;
}

export interface KeyRequest {
  type: KeyType;
  env: Environment;
  name: string;
  /** Default: whatever the key's type can hold. */
  scopes?: readonly GrantedScope[];
  allowedOrigins?: readonly string[] | null;
  expiresAt?: Instant | null;
}

/**
 * `position`: where the log stands afterwards for a reader of the site; null where nothing was there to change. `events`:
 * what was done, now or under the same key before; empty where nothing was there to do.
 */
export type SiteDone = { refused: false; state: SiteState; position: Position | null; events: readonly SiteEvent[] };
/** `text` is the key itself, and exists nowhere else from here on. */
export type KeyIssued = SiteDone & { keyId: string; text: string };

const SITE_STREAM_FOLD: StreamFold<SiteState, SiteEvent> = {
  ...siteFold,
  contended: () => refusal('state_conflict', 'Others are changing the site at the same time.', 'Try again.'),
};

/** Writes the streams of sites. */
export class Sites {
  private readonly streams: Stream<SiteState, SiteEvent>;

  constructor(
    log: EventLog,
    codec: Codec,
    private readonly sealer: Sealer,
    private readonly clock: Clock = systemClock,
    private readonly random: RandomBytes = randomBytes,
  ) {
    this.streams = new Stream(log, codec, SITE_STREAM_FOLD);
  }

  register(site: string, settings: WantedSettings, by: By): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'registerSite', site, settings }, by);
  }

  /** `logo`: the bytes of a picture; null removes it. */
  changeBrand(
    site: string,
    { logo, ...change }: BrandChange & { logo?: Buffer | null },
    by: By,
  ): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'changeBrand', change, ...(logo !== undefined && { logo }) }, by);
  }

  changeOrigins(site: string, change: Omit<ChangeOrigins, 'type'>, by: By): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'changeOrigins', ...change }, by);
  }

  async issueKey(site: string, request: KeyRequest, by: By): Promise<KeyIssued | Refusal> {
    const { type, env, name, scopes = [EVERY_SCOPE], allowedOrigins = null, expiresAt = null } = request;
    const { text, stored } = await this.mint(type, env, by);
    const done = await this.carryOut(
      site,
      {
        type: 'issueKey',
        key: { ...stored, type, env, scopes, allowedOrigins, name, expiresAt, issuedAt: this.clock() },
      },
      by,
    );
    return isRefusal(done) ? done : { ...done, keyId: stored.keyId, text };
  }

  /** Issues the successor of a key; the key itself goes on for the overlap. */
  async rotateKey(
    site: string,
    keyId: string,
    overlap: Overlap,
    reason: string | null,
    by: By,
  ): Promise<KeyIssued | Refusal> {
    // For its type and environment, which never change; whether it may be rotated is decided on what stands then.
    const key = (await this.streams.load(siteStream(site))).state.keys.get(keyId);
    if (!key) return unknownKey();
    const { text, stored } = await this.mint(key.type, key.env, by);
    const done = await this.carryOut(
      site,
      { type: 'rotateKey', keyId, successor: stored, overlap, at: this.clock(), reason },
      by,
    );
    return isRefusal(done) ? done : { ...done, keyId: stored.keyId, text };
  }

  revokeKey(site: string, keyId: string, reason: string | null, by: By): Promise<SiteDone | Refusal> {
    return this.carryOut(site, { type: 'revokeKey', keyId, at: this.clock(), reason }, by);
  }

  /** Whether something stands under the key of a request. */
  async isDone(site: string, { digest, search }: OperatorKey): Promise<boolean> {
    return (await this.streams.load(siteStream(site), { find: [search] })).keys.has(digest);
  }

  /** `stored` is what may be kept of it. */
  private async mint(
    type: KeyType,
    env: Environment,
    by: By,
  ): Promise<{ text: string; stored: RotateKey['successor'] }> {
    const key = mintKey(type, env, by.key?.random ?? this.random);
    const sealedIdentityKey =
      type === 'sk' ? await this.sealer.seal(identityKeyPurpose(key.id), identityMacKey(key.text)) : null;
    return {
      text: key.text,
      stored: { keyId: key.id, secretHash: hashOfSecret(key.secret), last4: lastFour(key), sealedIdentityKey },
    };
  }

  /** Ids are made once, so that every try appends the very same events. */
  private async carryOut(
    site: string,
    command: SiteCommand,
    { actor, requestId, key }: By,
  ): Promise<SiteDone | Refusal> {
    const ids = [0, 1].map((i) => (key ? uuidV5(`${key.digest}/operator/${i}`) : randomUUID()));
    const stream = siteStream(site);
    const done = await this.streams.execute<SiteDone | readonly number[]>(
      stream,
      undefined,
      ({ state, position, keys }) => {
        const before = key && keys.get(key.digest);
        if (before) return { append: [], answer: () => before.revisions };
        const decided = decideSite(command, state);
        if (isRefusal(decided)) return decided;
        const metadata = {
          actor,
          recordedAt: this.clock(),
          ...(requestId && { requestId }),
          ...(key && { idempotencyKey: key.digest, fingerprint: key.fingerprint }),
        };
        return {
          append: decided.events.map((event, i): Intent => ({ event, id: ids[i]!, metadata })),
          answer: (appended) => {
            const events = appended as Happened<SiteEvent>[];
            return {
              refused: false,
              state: fold(siteFold, events, state),
              position: events.at(-1)?.position ?? position,
              events,
            };
          },
        };
      },
      { find: key ? [key.search] : [] },
    );
    return isRevisions(done) ? this.asOf(stream, done) : done;
  }

  /** The site as it stood right after these events. */
  private async asOf(stream: string, revisions: readonly number[]): Promise<SiteDone> {
    const events = (await this.streams.at(stream, revisions)) as Happened<SiteEvent>[];
    const state = fold(siteFold, events, await this.streams.stateBefore(stream, revisions[0]!));
    return { refused: false, state, position: events.at(-1)!.position, events };
  }
}

const isRevisions = (done: SiteDone | readonly number[] | Refusal): done is readonly number[] => Array.isArray(done);
