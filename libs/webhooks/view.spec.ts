import { describe, expect, it } from '@jest/globals';
import type { WebhookEndpoint } from './state.js';
import { endpointView } from './view.js';

const ENDPOINT: WebhookEndpoint = {
  id: 'whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  sealedUrl: 'sealed-url',
  types: ['consent.*'],
  description: 'Warehouse',
  includeIdentifiers: true,
  state: 'DISABLED',
  disabledReason: 'GONE',
  sealedSecret: 'sealed-secret',
  previousSecret: { sealed: 'sealed-before', until: '2026-11-23T00:00:00.000Z' },
  createdAt: '2026-11-22T00:00:00.000Z',
  createdBy: 'key_4Zt8nXq2LmPa',
  changedAt: '2026-11-22T01:00:00.000Z',
  triedSince: '2026-11-22T00:30:00.000Z',
  lastReplay: null,
};

describe('an endpoint, as its owner sees it', () => {
  it('says all but its secrets', () =>
    expect(endpointView(ENDPOINT, 'https://hooks.shop.example/')).toEqual({
      id: ENDPOINT.id,
      url: 'https://hooks.shop.example/',
      types: ['consent.*'],
      state: 'DISABLED',
      disabledReason: 'GONE',
      description: 'Warehouse',
      includeIdentifiers: true,
      previousSecretUntil: '2026-11-23T00:00:00.000Z',
      createdAt: '2026-11-22T00:00:00.000Z',
      createdBy: 'key_4Zt8nXq2LmPa',
      changedAt: '2026-11-22T01:00:00.000Z',
    }));

  it('had no other secret where it was never rotated', () =>
    expect(endpointView({ ...ENDPOINT, previousSecret: null }, '').previousSecretUntil).toBeNull());
});
