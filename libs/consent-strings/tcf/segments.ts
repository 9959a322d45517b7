/** The segments of a TC string of TCF 2.4, in this order. */
export const TC_SEGMENTS = ['CORE', 'DISCLOSED_VENDORS', 'PUBLISHER_TC'] as const;
