/** The segments of a TC string of version 2.3, in this order. */
export const TC_SEGMENTS = ['CORE', 'DISCLOSED_VENDORS', 'PUBLISHER_TC'] as const;
