import { hash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CLOCK, type Clock, type Instant, type Position, type Scope } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { weakETag } from '../../http/answers/conditional.js';
import { PreparedJson } from '../../http/answers/prepared-json.js';
import { secondsKept, type Whereabouts } from '../look-up.js';
import { SITE_RULES, type SiteRules } from '../site-rules.js';
import { siteRuleAt } from '../site-timeline.js';
import type { DatedRule } from '../timeline.js';
import { policyView } from '../view.js';

/** How long a read that names the position of a write waits for this instance to know it. */
const OWN_WRITE_WAIT_MS = 1_500;

export class GetPolicy extends Query<PreparedPolicy> {
  constructor(
    readonly scope: Scope,
    readonly place: Whereabouts,
    /** Null: now. */
    readonly at: Instant | null,
    /** The answer has the site's rules up to this position. */
    readonly after: Position | null,
  ) {
    super();
  }
}

export interface PreparedPolicy {
  body: PreparedJson;
  etag: string;
  /** How long the answer may be kept; never beyond the day on which another rule begins. */
  keptSeconds: number;
}

type Answer = Pick<PreparedPolicy, 'body' | 'etag'>;

@QueryHandler(GetPolicy)
export class GetPolicyHandler implements IQueryHandler<GetPolicy> {
  /**
   * Answers by rule and country. Those of the law stay while the process runs; those of a site until it publishes another
   * list.
   */
  private readonly made = new WeakMap<DatedRule, Map<string | null, Answer>>();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SITE_RULES) private readonly siteRules: SiteRules,
  ) {}

  async execute({ scope, place, at, after }: GetPolicy): Promise<PreparedPolicy> {
    if (after !== null && !(await this.siteRules.reached(after, OWN_WRITE_WAIT_MS)))
      throw new DependencyUnavailable('event log');
    const now = this.clock();
    const dated = siteRuleAt(this.siteRules.of(scope), place, at ?? now);
    return {
      ...this.answer(dated, place.country),
      keptSeconds: secondsKept(at === null ? dated : { ...dated, to: null }, now),
    };
  }

  private answer(dated: DatedRule, country: string | null): Answer {
    let made = this.made.get(dated);
    if (!made) this.made.set(dated, (made = new Map<string | null, Answer>()));
    let answer = made.get(country);
    if (!answer) {
      const body = Buffer.from(JSON.stringify(policyView(dated, country)));
      answer = { body: new PreparedJson(body), etag: weakETag(hash('sha256', body, 'base64url').slice(0, 22)) };
      made.set(country, answer);
    }
    return answer;
  }
}
