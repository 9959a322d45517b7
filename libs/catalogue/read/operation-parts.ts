/** Parts that the operations of this folder share. */
export const AT = '2026-11-21T12:00:00.000Z';
export const HEADERS = [
  {
    name: 'Accept-Language',
    description: 'Wanted languages, where the query names none.',
    required: false,
    example: 'de-AT, de;q=0.9',
  },
  { name: 'If-None-Match', description: 'ETag of the answer at hand.', required: false, example: 'W/"3.4-abc"' },
  {
    name: 'X-Log-Position',
    description: 'As applying the catalogue answered it: the answer reflects at least that.',
    required: false,
    example: '42',
  },
];
export const CACHED = { ETag: 'Tag of this answer.', 'Content-Language': 'The languages served.' };
