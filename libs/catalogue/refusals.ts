import { didYouMean, refusal, type Refusal } from '../kernel/index.js';

export const catalogueRefusals = {
  /** `published`: the keys that the site has; the hint names the likeliest of them. */
  notFound: (key: string, published: Iterable<string>, path = 'key'): Refusal =>
    refusal(
      'purpose_not_found',
      'No purpose with that key is published.',
      'List the published keys with GET /v1/purposes.',
      [{ path, message: `names no published purpose${didYouMean(key, published)}` }],
    ),
  versionNotFound: (): Refusal =>
    refusal(
      'purpose_not_found',
      'The purpose has no such version.',
      'List its versions with GET /v1/purposes/{key}/versions.',
      [{ path: 'n', message: 'is not a version of this purpose' }],
    ),
  catalogueVersionNotFound: (newest: number): Refusal =>
    refusal(
      'catalogue_version_not_found',
      newest === 0 ? 'Nothing was published here yet.' : `The catalogue has versions 1 to ${newest}.`,
      'List its versions with GET …/catalogue/versions.',
      [{ path: 'n', message: 'is not a version of this catalogue' }],
    ),
  noticeNotFound: (): Refusal =>
    refusal(
      'notice_not_found',
      'No text with that hash was published in this site and environment.',
      'Send a contentHash as a record, a purpose, a banner or the preference template names it: sha256: and 64 hex digits.',
      [{ path: 'hash', message: 'names no published text' }],
    ),
} as const;
