import { ownRulesOf, type CatalogueState } from '../../catalogue/index.js';
import type { SubjectTimeline } from '../../context/subject-timeline.js';
import type { DomainEvent } from '../../kernel/index.js';
import { policyView, siteRuleAt } from '../../policy/index.js';
import type { Members } from './members.js';

/** The rules of law under which decisions were made: those of the place that the record names, at the time of the decision. */
export class Rules {
  /** By place and by when the rule began. */
  private readonly applied = new Map<string, object>();

  constructor(
    private readonly catalogue: CatalogueState,
    private readonly timeline: Pick<SubjectTimeline, 'decidedIn'>,
  ) {}

  note(event: DomainEvent | null): void {
    const decided = this.timeline.decidedIn(event);
    if (decided === null) return;
    const { at, ...place } = decided;
    const dated = siteRuleAt(ownRulesOf(this.catalogue), place, at);
    const name = `${place.country ?? ''} ${place.region ?? ''} ${dated.from ?? ''}`;
    if (this.applied.has(name)) return;
    this.applied.set(name, { place, from: dated.from, to: dated.to, rule: policyView(dated, place.country) });
  }

  async write(members: Members): Promise<void> {
    const list = await members.open('policies.jsonl');
    for (const name of [...this.applied.keys()].sort()) await list.write(`${JSON.stringify(this.applied.get(name))}\n`);
    await members.end(list);
  }
}
