/** Kinds of purposes: catalogues sort their purposes into them, and law says for each what silence means. */
export const PURPOSE_CATEGORIES = [
  'NECESSARY',
  'FUNCTIONAL',
  'ANALYTICS',
  'MARKETING',
  'PERSONALIZATION',
  'SOCIAL',
  'SALE_SHARE',
  'SENSITIVE',
  'COMMUNICATION',
  'OTHER',
] as const;
export type PurposeCategory = (typeof PURPOSE_CATEGORIES)[number];
