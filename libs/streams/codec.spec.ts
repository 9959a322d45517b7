import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { type DomainEvent, FORGOTTEN, isForgotten, type FieldCipher } from '../kernel/index.js';
import { Codec, defineEvent, UnknownEvent, UnreadableEvent, type LeftOut } from './codec.js';
import { NOT_JSON } from '../log/port.js';

/** AES-256-GCM with the field as associated data, as the vault does it; without a key everything is forgotten. */
function cipherWith(key: Buffer | null): FieldCipher {
  return {
    encrypt: (field, clear) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key!, iv).setAAD(Buffer.from(field));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(clear)), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    decrypt: (field, sealed) => {
      if (!key) return FORGOTTEN;
      const bytes = Buffer.from(sealed as string, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
        .setAAD(Buffer.from(field))
        .setAuthTag(bytes.subarray(12, 28));
      return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString());
    },
  };
}

const key = randomBytes(32);
const cipher = cipherWith(key);
let codec: Codec;
beforeEach(() => {
  codec = new Codec([
    defineEvent({
      type: 'Recorded',
      version: 1,
      personal: ['actor.id', 'metadata', 'evidence[].uri', 'tags[]', 'rows[][]'],
    }),
    defineEvent({ type: 'Plain', version: 1, personal: [] }),
    defineEvent({
      type: 'Grown',
      version: 3,
      personal: ['name', 'person.name'],
      upcast: {
        1: (data: { name: unknown }) => ({ person: { name: data.name } }),
        2: (data: object) => ({ ...data, since: 'version 3' }),
      },
    }),
  ]);
});
const stored = (event: DomainEvent, schemaVersion = 1, by: FieldCipher | undefined = cipher) => ({
  type: event.type,
  data: JSON.parse(JSON.stringify(codec.encode(event, by))),
  metadata: { schemaVersion, actor: 'test', recordedAt: '2026-01-01T00:00:00.000Z' },
});
const recorded: DomainEvent = {
  type: 'Recorded',
  data: {
    purpose: 'ads',
    actor: { id: 'mallory', type: 'AGENT' },
    metadata: { note: 'secret note', n: 1 },
    evidence: [{ uri: 'https://secret/1', sha256: 'aa' }, { sha256: 'bb' }],
    tags: ['secret tag'],
    rows: [['secret cell']],
  },
};

describe('the codec', () => {
  it('stores personal fields sealed, and nothing else', () => {
    const text = JSON.stringify(stored(recorded).data);
    expect(text).not.toMatch(/mallory|secret/);
    expect(JSON.parse(text)).toMatchObject({
      purpose: 'ads',
      actor: { type: 'AGENT' },
      evidence: [{ sha256: 'aa' }, { sha256: 'bb' }],
    });
  });

  it('reads back what was stored', () => {
    expect(codec.decode(stored(recorded), cipher)).toEqual(recorded);
  });

  it('leaves the event it was given as it is', () => {
    const before = structuredClone(recorded);
    codec.encode(recorded, cipher);
    const event = stored(recorded);
    const eventBefore = structuredClone(event);
    codec.decode(event, cipher);
    expect(recorded).toEqual(before);
    expect(event).toEqual(eventBefore);
  });

  it('reads a field whose key is gone as forgotten, which JSON shows as null', () => {
    const { data } = codec.decode<DomainEvent<string, { actor: { id: unknown } }>>(stored(recorded), cipherWith(null));
    expect(isForgotten(data.actor.id)).toBe(true);
    expect(JSON.parse(JSON.stringify(data))).toEqual({
      purpose: 'ads',
      actor: { id: null, type: 'AGENT' },
      metadata: null,
      evidence: [{ uri: null, sha256: 'aa' }, { sha256: 'bb' }],
      tags: [null],
      rows: [[null]],
    });
    expect(codec.decode(stored(recorded)).data).toEqual(data);
    expect(() => Object.assign(FORGOTTEN, { forgotten: false })).toThrow(TypeError);
  });

  it('never stores a personal field in clear for want of a key', () => {
    expect(() => codec.encode(recorded)).toThrow(TypeError);
    expect(codec.encode({ type: 'Recorded', data: { purpose: 'ads', metadata: null } })).toEqual({
      purpose: 'ads',
      metadata: null,
    });
  });

  it('does not open a sealed value that was moved to another place', () => {
    const event = stored(recorded);
    event.data.tags[0] = event.data.actor.id;
    expect(() => codec.decode(event, cipher)).toThrow(UnreadableEvent);
    expect(() => codec.decode(stored(recorded), cipherWith(randomBytes(32)))).toThrow(UnreadableEvent);
  });

  it('cannot be talked into opening what a caller sent as if it were sealed', () => {
    const forged = { type: 'Recorded', data: { purpose: { $sealed: 'x' }, metadata: { $sealed: 'y' } } };
    expect(codec.decode(stored(forged), cipher)).toEqual(forged);
  });

  it('brings older versions up to today, once, with clear values', () => {
    const old = { ...stored({ type: 'Grown', data: { name: 'Ada' } }, 1) };
    expect(codec.decode(old, cipher).data).toEqual({ person: { name: 'Ada' }, since: 'version 3' });
    expect(codec.decode(old, cipherWith(null)).data).toEqual({ person: { name: FORGOTTEN }, since: 'version 3' });
    expect(codec.decode(stored({ type: 'Grown', data: { person: { name: 'Ada' } } }, 3), cipher).data).toEqual({
      person: { name: 'Ada' },
    });
  });

  it('opens a field that stands in a field which a later version made personal as a whole', () => {
    const before = new Codec([defineEvent({ type: 'Widened', version: 1, personal: ['actor.id'] })]);
    const after = new Codec([defineEvent({ type: 'Widened', version: 1, personal: ['actor.id', 'actor'] })]);
    const event = { type: 'Widened', data: { actor: { id: 'mallory', type: 'AGENT' } } };
    for (const writer of [before, after]) {
      const data = JSON.parse(JSON.stringify(writer.encode(event, cipher)));
      const { metadata } = stored(recorded);
      expect(JSON.stringify(data)).not.toContain('mallory');
      expect(after.decode({ type: 'Widened', data, metadata }, cipher)).toEqual(event);
    }
  });

  it('refuses what it does not know: a type, a newer version', () => {
    expect(() => codec.decode({ ...stored(recorded), type: 'Unheard' })).toThrow(UnreadableEvent);
    expect(() => codec.encode({ type: 'Unheard', data: {} })).toThrow(UnreadableEvent);
    expect(() => codec.decode(stored(recorded, 2), cipher)).toThrow('Recorded: schema version 2 is not known');
    expect(() => codec.decode(stored(recorded, 0), cipher)).toThrow(UnreadableEvent);
  });

  it('refuses definitions that leave a gap', () => {
    expect(() => new Codec([defineEvent({ type: 'A', version: 2, personal: [] })])).toThrow(
      'no upcaster from version 1',
    );
    expect(
      () =>
        new Codec([
          defineEvent({ type: 'A', version: 1, personal: [] }),
          defineEvent({ type: 'A', version: 1, personal: [] }),
        ]),
    ).toThrow('defined twice');
    expect(() => new Codec([defineEvent({ type: 'A', version: 1, personal: ['a..b'] })])).toThrow('not a path');
  });

  it('gives back whatever JSON was put in, and shows none of it without the key', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (metadata, tags) => {
        const event = { type: 'Recorded', data: JSON.parse(JSON.stringify({ metadata, tags })) };
        const kept = stored(event);
        expect(codec.decode(kept, cipher)).toEqual(event);
        const blind = codec.decode<DomainEvent<string, { metadata: unknown; tags: unknown[] }>>(kept).data;
        expect([blind.metadata, ...blind.tags].every((value) => value === null || isForgotten(value))).toBe(true);
      }),
    );
  });

  it('says of a type whether it is known, personal, and in which version it is written', () => {
    expect([codec.knows('Plain'), codec.knows('Unheard')]).toEqual([true, false]);
    expect(['Recorded', 'Plain', 'Unheard'].map((type) => codec.isPersonal(type))).toEqual([true, false, false]);
    expect([codec.versionOf('Plain'), codec.versionOf('Grown')]).toEqual([1, 3]);
    expect(() => codec.ensureKnown({ type: 'Plain' })).not.toThrow();
    expect(() => codec.ensureKnown({ type: 'Unheard' })).toThrow(UnknownEvent);
  });

  it('tells what only a newer release knows from what nobody can read', () => {
    const thrown = (reading: () => unknown): [string, string, boolean] => {
      try {
        reading();
      } catch (error) {
        const { name, message, cause } = error as Error;
        return [name, message, cause !== undefined];
      }
      throw new Error('it was read');
    };
    const unknown = 'this type of event is not known';
    expect(thrown(() => codec.ensureKnown({ type: 'Unheard' }))).toEqual([
      'UnknownEvent',
      `Unheard: ${unknown}`,
      false,
    ]);
    expect(thrown(() => codec.versionOf('Unheard'))).toEqual(['UnknownEvent', `Unheard: ${unknown}`, false]);
    for (const version of [4, 0, -1, 1.5, NaN])
      expect(thrown(() => codec.decode(stored({ type: 'Grown', data: {} }, version)))).toEqual([
        'UnknownEvent',
        `Grown: schema version ${version} is not known, only up to 3`,
        false,
      ]);
    expect(thrown(() => codec.decode({ ...stored({ type: 'Plain', data: {} }), data: NOT_JSON }))).toEqual([
      'UnreadableEvent',
      'Plain: it is not stored as JSON',
      false,
    ]);
    expect(thrown(() => codec.decode(stored(recorded), cipherWith(randomBytes(32))))).toEqual([
      'UnreadableEvent',
      'Recorded: actor.id does not open with its key',
      true,
    ]);
    expect(thrown(() => codec.encode(recorded))[1]).toBe('Recorded.actor.id is personal and needs a key');
  });

  it('takes the version that the log knows before the one that stands in the metadata', () =>
    expect(
      codec.decode({ ...stored({ type: 'Grown', data: { person: { name: 'Ada' } } }, 1), schemaVersion: 3 }, cipher)
        .data,
    ).toEqual({ person: { name: 'Ada' } }));

  it('knows what operators left out, of everything or of one projection', () => {
    const leftOut: LeftOut = { size: 2, has: (position, projection) => position === 3n && projection !== 'other' };
    const other = codec.without(leftOut);
    expect([other.knows('Grown'), other.leftOutSoFar, codec.leftOutSoFar]).toEqual([true, 2, 0]);
    expect(other.isLeftOut({ position: 3n })).toBe(true);
    expect(other.isLeftOut({ position: 3n }, 'this')).toBe(true);
    expect(other.isLeftOut({ position: 3n }, 'other')).toBe(false);
    expect(other.isLeftOut({ position: 4n })).toBe(false);
    expect(codec.isLeftOut({ position: 3n })).toBe(false);
  });
});
