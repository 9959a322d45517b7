import { randomBytes, sign } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Codec } from '../streams/codec.js';
import { LogUnavailable, type EventLog } from '../log/port.js';
import { Stream } from '../streams/stream.js';
import { EVENT_LOG } from '../log/tokens.js';
import { CLOCK, ENVIRONMENTS, plusMs, type Clock, type Environment, type Instant } from '../kernel/index.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { Vault } from '../vault/vault.js';
import { contendedKeys } from './decide.js';
import { SIGNING_KEY_EVENTS, SIGNING_KEYS_STREAM, type SigningKeyEvent } from './events.js';
import { readJws, receiptJws, signedJws } from './jws.js';
import type { NoteSignature, NoteSigner } from './note-signer.js';
import { provenKey } from './proven-key.js';
import type { BundleSigner, DatedKey } from './bundle-signer.js';
import type { ReceiptSigner } from './receipt-signer.js';
import { publicJwk, publicKeyOf, SEED_BYTES, type PublicJwk, type SigningKey } from './signing-key.js';
import {
  keyInForce,
  signingKeysFold,
  signsUntil,
  standingOfKey,
  type KeyStanding,
  type SigningKeysState,
  type SigningPeriod,
} from './state.js';
import type { SignedStatement, StatementSigner } from './statement-signer.js';

/** A key as the key set shows it. */
export interface PublishedKey extends PublicJwk {
  /** It signs what is recorded from then on. Absent of the first key, which signs from the beginning. */
  signsFrom?: Instant;
  /** Since when it counts as compromised. Absent where it does not. */
  revokedAt?: Instant;
}

/** A key as operators see it. */
export interface ListedKey {
  kid: string;
  /** Public half: 32 bytes, base64url. */
  x: string;
  env: Environment;
  state: KeyStanding;
  /** Null of the first key, as `signsFrom`: it was never announced, and signs from the beginning. */
  announcedAt: Instant | null;
  signsFrom: Instant | null;
  /** Null: until another one is announced. */
  signsUntil: Instant | null;
  revokedAt: Instant | null;
}

/** How much clocks of machines may differ: which key signed what was recorded within that time, the log is asked anew. */
const CLOCK_LEEWAY_MS = 10_000;
/** How long statements go by what the log said: a compromised key is felt everywhere within this time. */
const RECENT_MS = 5_000;

/**
 * Keys per environment, so that nothing signed in `test` ever verifies as `live`. The log says which key signs from when
 * on. The vault keeps their private halves sealed and gives the same ones to every instance. The first process that needs
 * the first key of an environment makes it.
 */
@Injectable()
export class SigningKeys implements ReceiptSigner, StatementSigner, BundleSigner, NoteSigner, OnModuleInit {
  readonly streams: Stream<SigningKeysState, SigningKeyEvent>;
  private readonly keys = new Map<string, Promise<SigningKey>>();
  /** What the log said, and when it was asked. */
  private known: { state: SigningKeysState; at: Instant } | null = null;

  constructor(
    private readonly vault: Vault,
    @Inject(EVENT_LOG) log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.streams = new Stream(log, new Codec(SIGNING_KEY_EVENTS), { ...signingKeysFold, contended: contendedKeys });
  }

  /**
   * Before requests come: proving the keys holds up a cold process by some 100 ms, and one whose keys do not hold must
   * not start. A vault or a log that is away does not keep it from starting.
   */
  async onModuleInit(): Promise<void> {
    const proving = async (): Promise<void> => {
      const at = this.clock();
      const state = await this.newest();
      await this.allOf((env) => this.keyOf(env, keyInForce(state[env], at)));
    };
    await proving().catch((error: unknown) => {
      if (!(error instanceof DependencyUnavailable || error instanceof LogUnavailable)) throw error;
    });
  }

  async sign(env: Environment, receipt: object, recordedAt: Instant): Promise<string> {
    return receiptJws(receipt, await this.keyAt(env, recordedAt));
  }

  async signAsOf(env: Environment, type: string, statement: object, at: Instant): Promise<string> {
    return signedJws(type, statement, await this.keyAt(env, at));
  }

  async state(env: Environment, type: string, statement: object): Promise<string> {
    return signedJws(type, statement, await this.keyNow(env));
  }

  async signNote(env: Environment, text: string, at?: Instant): Promise<NoteSignature> {
    if (!text.endsWith('\n')) throw new RangeError('a note ends with a line break');
    const { jwk, privateKey } = await (at === undefined ? this.keyNow(env) : this.keyAt(env, at));
    const signature = sign(null, Buffer.from(text), privateKey);
    return { kid: jwk.kid, publicKey: Buffer.from(jwk.x, 'base64url'), signature };
  }

  async readStatement(type: string, text: string): Promise<SignedStatement | null> {
    const state = await this.recent(this.clock());
    const keys = await this.allOf((env) =>
      Promise.all(
        state[env]
          .filter(({ revokedAt }) => revokedAt === null)
          .map(async (period) => {
            const jwk = await this.publicHalf(env, period);
            return { env, jwk, publicKey: publicKeyOf(jwk) };
          }),
      ),
    );
    const read = readJws(type, text, keys.flat());
    return read && { env: read.key.env, content: read.content };
  }

  /** What verifies every receipt there is, and those of the keys that are announced. None ever leaves. */
  async published(): Promise<PublishedKey[]> {
    const state = await this.newestOrKnown();
    const keys = await this.allOf((env) =>
      Promise.all(
        state[env].map(async (period): Promise<PublishedKey> => {
          const jwk = await this.publicHalf(env, period);
          const { signsFrom, revokedAt } = period;
          return { ...jwk, ...(signsFrom !== null && { signsFrom }), ...(revokedAt !== null && { revokedAt }) };
        }),
      ),
    );
    return keys.flat();
  }

  /** Every key there is, in the order in which they were made, as they stand now. */
  async listed(): Promise<ListedKey[]> {
    const at = this.clock();
    const state = await this.newest();
    const keys = await this.allOf((env) =>
      Promise.all(
        state[env].map(async (period): Promise<ListedKey> => {
          const { kid, x } = await this.publicHalf(env, period);
          const { announcedAt, signsFrom, revokedAt } = period;
          const until = signsUntil(state[env], period);
          const standing = standingOfKey(state[env], period, at);
          return { kid, x, env, state: standing, announcedAt, signsFrom, signsUntil: until, revokedAt };
        }),
      ),
    );
    return keys.flat();
  }

  async datedKeys(env: Environment): Promise<DatedKey[]> {
    const state = await this.newest();
    return Promise.all(
      state[env].map(async (period) => {
        const { signsFrom, revokedAt } = period;
        return { ...(await this.publicHalf(env, period)), signsFrom, revokedAt };
      }),
    );
  }

  /** The key of a number that no event names yet. Made once, however many processes ask. */
  async next(env: Environment, number: number): Promise<PublicJwk> {
    return (await this.open(env, number)).jwk;
  }

  private async keyNow(env: Environment): Promise<SigningKey> {
    const at = this.clock();
    const state = await this.recent(at);
    return this.keyOf(env, keyInForce(state[env], at));
  }

  /** The key that signs what is recorded at a moment. */
  private async keyAt(env: Environment, at: Instant): Promise<SigningKey> {
    // A key is announced before anything is recorded that it signs: what the log said after the record names it.
    const isSettled = this.known !== null && at < plusMs(this.known.at, -CLOCK_LEEWAY_MS);
    const state = isSettled ? this.known!.state : await this.newest();
    return this.keyOf(env, keyInForce(state[env], at));
  }

  private async newest(): Promise<SigningKeysState> {
    const at = this.clock();
    const { state } = await this.streams.load(SIGNING_KEYS_STREAM);
    this.known = { state, at };
    return state;
  }

  /** As it was a moment ago: no log is asked for each statement. */
  private async recent(at: Instant): Promise<SigningKeysState> {
    return this.known !== null && at < plusMs(this.known.at, RECENT_MS) ? this.known.state : this.newestOrKnown();
  }

  /** Announced for a day, a key is not missed for as long as a log is away. */
  private async newestOrKnown(): Promise<SigningKeysState> {
    return this.newest().catch((error: unknown) => {
      if (error instanceof LogUnavailable && this.known) return this.known.state;
      throw error;
    });
  }

  private async publicHalf(env: Environment, period: SigningPeriod): Promise<PublicJwk> {
    return period.x === null ? (await this.keyOf(env, period)).jwk : publicJwk(period.x);
  }

  private keyOf(env: Environment, { number, kid }: SigningPeriod): Promise<SigningKey> {
    const name = nameOf(env, number);
    const known = this.keys.get(name);
    if (known) return known;
    const opening = kid === null ? this.open(env, number) : this.openAnnounced(env, number, kid);
    this.keys.set(name, opening);
    // A vault that was away is asked again.
    opening.catch(() => this.keys.delete(name));
    return opening;
  }

  private async open(env: Environment, number: number): Promise<SigningKey> {
    const name = nameOf(env, number);
    let seed = await this.vault.secret(name);
    if (!seed) {
      await this.vault.putSecret(name, randomBytes(SEED_BYTES));
      // Read back: of several instances that make one at once, the first has made it for all.
      seed = (await this.vault.secret(name))!;
    }
    return provenKey(seed);
  }

  /** The very key that the log names. A vault that was restored from before has none, or must never make another one. */
  private async openAnnounced(env: Environment, number: number, kid: string): Promise<SigningKey> {
    const seed = await this.vault.secret(nameOf(env, number));
    if (!seed) throw new DependencyUnavailable(`private half of the signing key ${kid}`);
    const key = provenKey(seed);
    if (key.jwk.kid !== kid) throw new Error(`the vault holds another key than ${kid}, which the log names`);
    return key;
  }

  /** Of both environments. Where one fails the other is waited for too: the next caller would share an attempt still under way. */
  private async allOf<T>(of: (env: Environment) => Promise<T>): Promise<T[]> {
    const asked = ENVIRONMENTS.map((env) => of(env));
    await Promise.allSettled(asked);
    return Promise.all(asked);
  }
}

/** Under which the vault keeps the private half. */
const nameOf = (env: Environment, number: number): string =>
  `receipt-signing-key/${env}${number === 1 ? '' : `/${number}`}`;
