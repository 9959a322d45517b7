import { describe, expect, it } from '@jest/globals';
import type { EventMetadata } from '../log/port.js';
import { subjectStream } from '../kernel/index.js';
import { keyOnEvent, ownKey } from '../commands/own-key.js';
import { KeysInLog } from './keys-in-log.js';

const SCOPE = { site: 'shop', env: 'live' } as const;
const ADA = 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S';
const STREAM = subjectStream(SCOPE, ADA);
const AT = '2026-11-22T08:00:00.000Z';
const hex = (digit: string): string => digit.repeat(64);
const digestOf = ({ site, env }: { site: string; env: string }, batch: string, index: number): string =>
  Buffer.from(`${site}/${env}/${batch}#${index}`).toString('hex');
const keysOf = (metadata: Partial<EventMetadata>, stream = STREAM) =>
  new KeysInLog(digestOf).of({ stream, metadata: { schemaVersion: 1, actor: 'pk', recordedAt: AT, ...metadata } });
const used = (key: string, fingerprint: string, ...subjects: string[]) => ({
  key,
  fingerprint,
  subjects,
  from: AT,
  through: AT,
});

describe('the keys on an event', () => {
  it('are the key of its request, which is about the subject of its stream', () =>
    expect(keysOf({ idempotencyKey: hex('a'), fingerprint: hex('f') })).toEqual([used(hex('a'), hex('f'), ADA)]));

  it('are none without a key, and none that the service made for a merge or a confirmation', () => {
    expect(keysOf({})).toEqual([]);
    expect(keysOf({ idempotencyKey: hex('a'), fingerprint: 'mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S' })).toEqual([]);
  });

  it('are none that the service made for a data request, marked or from before there was a mark', () => {
    expect(keysOf({ ...keyOnEvent(ownKey('decisions of dsr_1')) })).toEqual([]);
    const { ownKey: _, ...unmarked } = keyOnEvent(ownKey('decisions of dsr_1'));
    expect(keysOf(unmarked)).toEqual([]);
    // An opt-out on the portal is reserved under its key: the index has a row, which a rebuild writes again.
    expect(keysOf(unmarked, 'request-shop.live.dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S')).toHaveLength(1);
  });

  it('name the subject of the reservation, where that is another one', () =>
    expect(keysOf({ idempotencyKey: hex('a'), fingerprint: hex('f'), reservedFor: ['sub_1', 'sub_2'] })).toEqual([
      used(hex('a'), hex('f'), 'sub_1', 'sub_2'),
    ]));

  it('are those of the whole request, of which the subject has its place', () => {
    const request = { key: hex('b'), fingerprint: hex('e') };
    expect(keysOf({ request })).toEqual([used(hex('b'), hex('e'), ADA)]);
    expect(keysOf({ request: { ...request, place: 2 } })).toEqual([used(hex('b'), hex('e'), '', '', ADA)]);
    expect(keysOf({ request, reservedFor: [] })).toEqual([used(hex('b'), hex('e'))]);
    expect(keysOf({ request }, `batch-shop.live.${hex('b')}`)).toEqual([used(hex('b'), hex('e'))]);
  });

  it('are not those that items were given for their place in a batch, but those that they brought', () => {
    const batch = hex('b');
    const derived = digestOf(SCOPE, batch, 499);
    expect(keysOf({ batch, idempotencyKey: derived, fingerprint: hex('f') })).toEqual([]);
    expect(keysOf({ batch, idempotencyKey: hex('a'), fingerprint: hex('f') })).toEqual([used(hex('a'), hex('f'), ADA)]);
    expect(keysOf({ batch: hex('c'), idempotencyKey: derived, fingerprint: hex('f') })).toHaveLength(1);
  });
});
