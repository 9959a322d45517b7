/** How ids and names look that webhook events of several contexts say. */
export const SUBJECT_ID = { example: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 } as const;
export const RECORD_ID = { example: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 } as const;
export const RECEIPT_ID = { example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 30 } as const;
export const PURPOSE_KEY = { example: 'analytics', maxLength: 64 } as const;
