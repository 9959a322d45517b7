import { ownRulesOf, type CatalogueState } from '../../catalogue/index.js';
import { whereaboutsOf } from '../../consent/index.js';
import type { PersonEvent } from '../../subject-archive/index.js';
import { policyView, siteRuleAt } from '../../policy/index.js';
import type { Members } from './members.js';

/** The rules of law under which decisions were made: those of the place that the record names, at the time of the decision. */
export class Rules {
  /** By place and by when the rule began. */
  private readonly applied = new Map<string, object>();

  constructor(private readonly catalogue: CatalogueState) {}

  note(event: PersonEvent | null): void {
    if (event?.type !== 'ConsentRecorded') return;
    const { jurisdiction, givenAt } = event.data;
    const place = jurisdiction ? whereaboutsOf(jurisdiction) : { country: null, region: null };
    const dated = siteRuleAt(ownRulesOf(this.catalogue), place, givenAt);
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
