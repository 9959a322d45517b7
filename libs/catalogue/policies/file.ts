import { countryOf, parseInstant, regionOf } from '../../kernel/index.js';
import type { PolicyOverride } from '../../policy/index.js';
import type { DocumentFile } from '../files/document-file.js';
import type { PoliciesDefinition } from './definition.js';
import { PoliciesFileDto, type PolicyOverrideFileDto } from './dto.js';

/** `policies.yaml`. */
export const POLICIES_FILE: DocumentFile<PoliciesDefinition, PoliciesFileDto> = {
  contract: PoliciesFileDto,
  about: 'Rules of law that the site has made its own.',
  definitionOf: ({ policies }) => ({ policies: policies.map(overrideOf) }),
  fileOf: ({ policies }) => ({ policies: policies.map((policy) => ({ ...policy }) as PolicyOverrideFileDto) }),
};

/** A member that is left out has no default: the law decides it. */
const overrideOf = ({ country, region, changes, who, why, effectiveFrom }: PolicyOverrideFileDto): PolicyOverride => ({
  country: countryOf(country)!,
  ...(region !== undefined && { region: regionOf(region)! }),
  changes: { ...changes },
  who,
  why,
  ...(effectiveFrom !== undefined && { effectiveFrom: parseInstant(effectiveFrom)! }),
});
