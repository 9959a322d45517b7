import { Inject, Injectable } from '@nestjs/common';
import type { ChangedBy } from '../../commands/commands.js';
import { decideOnce } from '../../commands/decide-on-stream.js';
import {
  CLOCK,
  ENVIRONMENTS,
  isRefusal,
  type Clock,
  type Decision,
  type Environment,
  type Position,
  type Refusal,
} from '../../kernel/index.js';
import { revokeSigningKey, rotateSigningKey, unknownKey, type ChangeOfKeys } from '../decide.js';
import { SIGNING_KEYS_STREAM, type SigningKeyEvent, type SigningKeyRevokedData } from '../events.js';
import { SigningKeys } from '../signing-keys.js';
import type { SigningKeysState } from '../state.js';

/** What was done: nothing where a key was revoked already. */
export interface KeysChanged {
  refused: false;
  events: readonly SigningKeyEvent[];
  /** Since when the key was revoked already; null where it was not. */
  before: Pick<SigningKeyRevokedData, 'env' | 'revokedAt'> | null;
  position: Position | null;
}

/** Changes which keys sign receipts. The vault holds a key before the log names it: what is announced can sign. */
@Injectable()
export class SigningKeyChanges {
  constructor(
    private readonly keys: SigningKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async rotate(env: Environment, reason: string | null, by: ChangedBy): Promise<KeysChanged | Refusal> {
    const change = await this.prepare(env, reason);
    return this.carryOut((state) => rotateSigningKey(change, state), by);
  }

  async revoke(kid: string, reason: string | null, by: ChangedBy): Promise<KeysChanged | Refusal> {
    const found = await this.find(kid);
    if (!found) return unknownKey();
    const change = await this.prepare(found.env, reason);
    const done = await this.carryOut((state) => revokeSigningKey(found.number, kid, change, state), by);
    return isRefusal(done) || done.events.length > 0 ? done : { ...done, before: await this.revocation(found) };
  }

  private async prepare(env: Environment, reason: string | null): Promise<ChangeOfKeys> {
    const { state } = await this.keys.streams.load(SIGNING_KEYS_STREAM);
    const number = state[env].at(-1)!.number + 1;
    const { kid, x } = await this.keys.next(env, number);
    return { env, next: { number, kid, x }, at: this.clock(), reason };
  }

  private async find(kid: string): Promise<{ env: Environment; number: number } | null> {
    const { state } = await this.keys.streams.load(SIGNING_KEYS_STREAM);
    for (const env of ENVIRONMENTS) {
      const period = state[env].find((each) => each.kid === kid);
      if (period) return { env, number: period.number };
      if ((await this.keys.next(env, 1)).kid === kid) return { env, number: 1 };
    }
    return null;
  }

  private async revocation({ env, number }: { env: Environment; number: number }): Promise<KeysChanged['before']> {
    const { state } = await this.keys.streams.load(SIGNING_KEYS_STREAM);
    return { env, revokedAt: state[env].find((each) => each.number === number)!.revokedAt! };
  }

  private async carryOut(
    decide: (state: SigningKeysState) => Decision<SigningKeyEvent>,
    by: ChangedBy,
  ): Promise<KeysChanged | Refusal> {
    const done = await decideOnce(this.keys.streams, { stream: SIGNING_KEYS_STREAM, by, clock: this.clock, decide });
    return isRefusal(done) ? done : { refused: false, events: done.events, before: null, position: done.position };
  }
}
