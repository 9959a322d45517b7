import { describe, expect, it } from '@jest/globals';
import { deliveryIdOf, deliveryKeyOf, readDeliveryId, readDeliveryKey } from './delivery-id.js';

const endpoint = 'whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S';
const eventId = 'evt_01KAK3V0ZC8W9J2M4N6P8Q0R2T';
const replayId = 'whr_01KAK3V0ZC8W9J2M4N6P8Q0R2V';

describe('the id of a delivery', () => {
  it.each([null, replayId])('says where it goes, what it tells and by which replay: %s', (replay) => {
    const id = deliveryIdOf({ endpoint, eventId, replayId: replay });
    expect(id).toBe([endpoint, eventId, ...(replay ? [replay] : [])].join('.'));
    expect(readDeliveryId(id)).toEqual({ endpoint, eventId, replayId: replay });
    expect(readDeliveryKey(deliveryKeyOf({ eventId, replayId: replay }))).toEqual({ eventId, replayId: replay });
  });

  it('is read strictly', () => {
    for (const text of [
      '',
      endpoint,
      `${endpoint}.${replayId}`,
      `${eventId}.${endpoint}`,
      `${endpoint}.${eventId}.`,
      `${endpoint}.${eventId}.${eventId}`,
      ` ${endpoint}.${eventId}`,
      `${endpoint}.${eventId}\n`,
      `${endpoint}.${eventId.toLowerCase()}`,
      `${endpoint}/${eventId}`,
    ])
      expect([text, readDeliveryId(text)]).toEqual([text, null]);
  });

  it('keys of other channels are none of a webhook', () => {
    for (const key of ['', 'mail', `${eventId}  ${replayId}`, `${eventId} ${eventId}`, `x${eventId}`, `${eventId}x`])
      expect(() => readDeliveryKey(key)).toThrow(key);
  });
});
