import { randomUUID } from 'node:crypto';

/** A decision as the write path stores it, about 1 KB with its metadata. */
export function record(purpose, revision) {
  const recordedAt = new Date().toISOString();
  const id = randomUUID();
  const recordId = `rec_${id.replaceAll('-', '').slice(0, 26).toUpperCase()}`;
  return {
    id,
    type: 'ConsentRecorded',
    data: {
      recordId,
      purpose,
      purposeVersion: 1,
      decision: revision % 3 === 2 ? 'DENIED' : 'GRANTED',
      previousState: 'NOT_COLLECTED',
      state: 'GRANTED',
      appliedToState: true,
      supersededBy: null,
      source: 'API',
      givenAt: recordedAt,
      recordedAt,
      expiresAt: '2099-01-01T00:00:00.000Z',
      jurisdiction: { country: 'DE', source: 'DETECTED' },
      collection: {
        method: 'SAVE_CHOICES',
        surface: 'BANNER',
        url: { $sealed: 'V9M0bJd2mVq3h5pZ7cXw1sT4yQeRuIoPaSdFgHjKlZxCvBnM'.repeat(2) },
        locale: 'de',
        bannerVersion: 3,
      },
      actor: { type: 'SUBJECT' },
      notice: { locale: 'de', contentHash: `sha256:${'9f86d081884c7d65'.repeat(4)}` },
      provenance: {
        keyId: 'key_4Zt8nXq2LmPa',
        origin: 'https://shop.example',
        ip: { $sealed: 'kT9M0bJd2mVq3h5pZ7cXw1sT4yQeRuIoPaSdFgHjK' },
      },
    },
    metadata: {
      schemaVersion: 1,
      requestId: `req_${recordId.slice(4)}`,
      actor: 'key_4Zt8nXq2LmPa',
      idempotencyKey: 'ab'.repeat(32),
      fingerprint: 'cd'.repeat(32),
      recordedAt,
    },
  };
}
