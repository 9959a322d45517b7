import { hash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CLOCK, type Clock, type Instant, type Position, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../platform/dependency-unavailable.js';
import { weakETag } from '../../platform/http/conditional.js';
import { nameOfRule, ruleAt, secondsKept, type Whereabouts } from '../look-up.js';
import { overridden, type PolicyOverride } from '../override.js';
import { SITE_RULES, type SiteRules } from '../site-rules.js';
import { policyView } from '../view.js';

/** How long a read that names the position of a write waits for this instance to know it. */
const OWN_WRITE_WAIT_MS = 1_500;

export class GetPolicy extends Query<PreparedPolicy> {
  constructor(
    readonly scope: Scope,
    readonly place: Whereabouts,
    /** Null: now. */
    readonly at: Instant | null,
    /** What the site published up to there is in the answer. */
    readonly after: Position | null,
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

type Answer = Pick<PreparedPolicy, 'body' | 'etag'>;

@QueryHandler(GetPolicy)
export class GetPolicyHandler implements IQueryHandler<GetPolicy> {
  /**
   * By what sites changed. The answers to one list do not change as long as the process runs, and are forgotten with it.
   * Bounded by the countries and the rules that there are.
   */
  private readonly made = new WeakMap<readonly PolicyOverride[], Map<string, Answer>>();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SITE_RULES) private readonly siteRules: SiteRules,
  ) {}

  async execute({ scope, place, at, after }: GetPolicy): Promise<PreparedPolicy> {
    if (after !== null && !(await this.siteRules.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const now = this.clock();
    const own = this.siteRules.of(scope, at ?? now);
    const dated = overridden(ruleAt(place, at ?? now), own, place, at ?? now);
    let made = this.made.get(own);
    if (!made) this.made.set(own, (made = new Map<string, Answer>()));
    const name = nameOfRule(dated, place.country);
    let answer = made.get(name);
    if (!answer) {
      const body = Buffer.from(JSON.stringify(policyView(dated, place.country)));
      made.set(name, (answer = { body, etag: weakETag(hash('sha256', body, 'base64url').slice(0, 22)) }));
    }
    return { ...answer, keptSeconds: secondsKept(at === null ? dated : { ...dated, to: null }, now) };
  }
}
