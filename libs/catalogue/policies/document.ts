import { canonicalJson, type Issue } from '../../kernel/index.js';
import type { PolicyOverride } from '../../policy/index.js';
import { defineDocument } from '../document.js';
import type { Say } from '../texts/texts.js';
import type { PoliciesDefinition } from './definition.js';

/** The site's own rules, `policies.yaml`: stricter than the law, or knowingly different from it. */
export const POLICIES = defineDocument({
  name: 'policies',
  object: 'policies',
  event: 'PoliciesPublished',
  title: 'list of own policies',
  contradictions: ({ policies }: PoliciesDefinition) => {
    const found: Issue[] = [];
    const say: Say = (path, message) => void found.push({ path, message });
    policies.forEach((policy, p) => ofOverride(policy, `policies[${p}]`, say));
    changedTwice(policies, say);
    return found;
  },
  /** `policies.DE`, `policies.US-CA 2027-01-01T00:00:00.000Z`. */
  partsOf: ({ policies }) => {
    const parts = new Map<string, PolicyOverride[]>();
    for (const policy of policies) parts.set(nameOf(policy), [...(parts.get(nameOf(policy)) ?? []), policy]);
    return [...parts].map(([name, those]) => [`policies.${name}`, canonicalJson(those)] as const);
  },
});

const nameOf = ({ country, region, effectiveFrom }: PolicyOverride): string =>
  [region ?? country, ...(effectiveFrom === undefined ? [] : [effectiveFrom])].join(' ');

function ofOverride({ country, region, changes }: PolicyOverride, at: string, say: Say): void {
  if (region !== undefined && !region.startsWith(`${country}-`)) say(`${at}.region`, `is no region of ${country}`);
  if (Object.keys(changes).length === 0) say(`${at}.changes`, 'must change something');
}

/** Reports two entries of one place and time that change one field: only one of them could hold. */
function changedTwice(policies: readonly PolicyOverride[], say: Say): void {
  const seen = new Set<string>();
  policies.forEach((policy, p) => {
    for (const field of Object.keys(policy.changes)) {
      const name = `${nameOf(policy)} ${field}`;
      if (seen.has(name))
        say(`policies[${p}].changes.${field}`, 'is changed by an entry above already, for the same place and time');
      seen.add(name);
    }
  });
}
