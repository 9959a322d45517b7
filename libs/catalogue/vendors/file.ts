import { countryOf } from '../../kernel/index.js';
import type { DocumentFile } from '../files/document-file.js';
import type { VendorsDefinition } from './definition.js';
import { VendorsFileDto } from './dto.js';

/** `vendors.yaml`. */
export const VENDORS_FILE: DocumentFile<VendorsDefinition, VendorsFileDto> = {
  contract: VendorsFileDto,
  about: 'The vendors, with their ids in IAB TCF and at Google.',
  definitionOf: ({ vendors }) => ({
    vendors: vendors.map(({ country = null, privacyPolicy = null, purposeKeys = [], frameworks = {}, ...vendor }) => ({
      key: vendor.key,
      name: vendor.name,
      country: country === null ? null : countryOf(country),
      privacyPolicy,
      purposeKeys,
      frameworks: { tcf: frameworks.tcf ?? null, google: frameworks.google ?? null },
      ...(vendor.restrictions && vendor.restrictions.length > 0 && { restrictions: vendor.restrictions }),
    })),
  }),
  fileOf: ({ vendors }) => ({
    vendors: vendors.map(
      ({ key, name, country, privacyPolicy, purposeKeys, frameworks: { tcf, google }, restrictions }) => ({
        key,
        name,
        ...(country !== null && { country }),
        ...(privacyPolicy !== null && { privacyPolicy }),
        ...(purposeKeys.length > 0 && { purposeKeys: [...purposeKeys] }),
        ...((tcf !== null || google !== null) && {
          frameworks: { ...(tcf !== null && { tcf }), ...(google !== null && { google }) },
        }),
        ...(restrictions && { restrictions: [...restrictions] }),
      }),
    ),
  }),
};
