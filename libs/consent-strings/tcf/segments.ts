/** What a TC string of version 2.3 is made of, in this order. */
export const TC_SEGMENTS = ['CORE', 'DISCLOSED_VENDORS', 'PUBLISHER_TC'] as const;
