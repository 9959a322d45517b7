import { hash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CLOCK, type Clock, type Instant } from '../../kernel/index.js';
import { weakETag } from '../../platform/http/conditional.js';
import { ruleAt, secondsKept, type Whereabouts } from '../look-up.js';
import { policyView } from '../view.js';

export class GetPolicy extends Query<PreparedPolicy> {
  constructor(
    readonly place: Whereabouts,
    /** Null: now. */
    readonly at: Instant | null,
  ) {
    super();
  }
}

export interface PreparedPolicy {
  /** JSON. */
  body: Buffer;
  etag: string;
  /** Not beyond the day on which another rule begins. */
  keptSeconds: number;
}

@QueryHandler(GetPolicy)
export class GetPolicyHandler implements IQueryHandler<GetPolicy> {
  /** The answers do not change as long as the process runs. Bounded by the countries and the rules that there are. */
  private readonly made = new Map<string, Pick<PreparedPolicy, 'body' | 'etag'>>();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  execute({ place, at }: GetPolicy): Promise<PreparedPolicy> {
    const now = this.clock();
    const dated = ruleAt(place, at ?? now);
    const name = `${place.country ?? ''} ${dated.place?.code ?? ''} ${dated.id} ${dated.to ?? ''}`;
    let answer = this.made.get(name);
    if (!answer) {
      const body = Buffer.from(JSON.stringify(policyView(dated, place.country)));
      this.made.set(name, (answer = { body, etag: weakETag(hash('sha256', body, 'base64url').slice(0, 22)) }));
    }
    return Promise.resolve({ ...answer, keptSeconds: secondsKept(at === null ? dated : { ...dated, to: null }, now) });
  }
}
