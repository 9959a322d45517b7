import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { siteFold, type SiteState } from '../../libs/access/state.js';
import type { SiteEvent } from '../../libs/access/events.js';
import { catalogueFold, versionInForce } from '../../libs/catalogue/state.js';
import type { CatalogueEvent } from '../../libs/catalogue/events.js';
import { resolveField, templateInForce } from '../../libs/catalogue/template.js';
import { templateView } from '../../libs/catalogue/template-view.js';
import { consentFold, stateAt } from '../../libs/consent/state.js';
import type { ConsentEvent } from '../../libs/consent/events.js';
import { isForgotten, type EventDefinition } from '../../libs/event-log/codec.js';
import type { EventMetadata } from '../../libs/event-log/port.js';
import type { DomainEvent } from '../../libs/kernel/index.js';
import { fieldCipher } from '../../libs/platform/vault/vault.js';
import { EVENT_TYPES, eventCodec } from '../../libs/roles/event-types.js';

/**
 * One file for each version of each type of event that was ever written. They are never edited: a release that cannot
 * read one has broken somebody's history. Personal fields were sealed with the key below.
 */
interface Golden {
  type: string;
  metadata: EventMetadata;
  data: unknown;
  subject?: string;
  clear?: unknown;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const KEY = Buffer.alloc(32, 7);
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const golden = (name: string): Golden => JSON.parse(readFileSync(`${FOLDER}${name}`, 'utf8')) as Golden;
const codec = eventCodec();
const decoded = <E extends DomainEvent>(type: string): E => codec.decode<E>(golden(`${type}.v1.json`));

/** Sites are read by the key directory itself, without the codec. */
const SITE_TYPES = ['SiteRegistered', 'SiteChanged', 'ApiKeyIssued', 'ApiKeyRotated', 'ApiKeyRevoked'];

describe('every event ever written', () => {
  it('has a file for each version of its type', () => {
    const wanted = [...EVENT_TYPES.flatMap(({ type, version }: EventDefinition) => Array.from({ length: version }, (_, index) => `${type}.v${index + 1}.json`)), ...SITE_TYPES.map((type) => `${type}.v1.json`)];
    expect(files.sort()).toEqual(wanted.sort());
  });

  it.each(files.filter((name) => !SITE_TYPES.some((type) => name.startsWith(`${type}.`))))('%s is still read', (name) => {
    const { subject, clear, ...event } = golden(name);
    if (subject === undefined) expect(codec.decode(event)).toEqual({ type: event.type, data: event.data });
    else expect(codec.decode(event, fieldCipher(subject, KEY))).toEqual({ type: event.type, data: clear });
  });

  it('reads as forgotten where the key is gone', () => {
    const { subject, ...event } = golden('IdentifierAdded.v1.json');
    const { value } = codec.decode<DomainEvent<string, { value: unknown }>>(event, fieldCipher(subject!, null)).data;
    expect(isForgotten(value)).toBe(true);
    expect(JSON.stringify({ value })).toBe('{"value":null}');
  });
});

describe('today’s code folds them', () => {
  it('consent', () => {
    const recorded = decoded<ConsentEvent>('ConsentRecorded');
    const state = consentFold.evolve(consentFold.initial(), recorded);
    expect(stateAt(state.purposes['marketing'], '2027-05-20T13:22:25.091Z')).toBe('GRANTED');
    expect(stateAt(state.purposes['marketing'], '2027-05-20T13:22:25.092Z')).toBe('EXPIRED');
    expect(state.gpc).toEqual({ active: true, since: '2026-11-21T13:22:25.092Z' });
    const expired = decoded<ConsentEvent>('ConsentExpired');
    expect(consentFold.evolve(state, expired)).toBe(state);
  });

  it('the catalogue', () => {
    const published = decoded<CatalogueEvent>('PurposePublished');
    const retired = decoded<CatalogueEvent>('PurposeRetired');
    const key = (published as Extract<CatalogueEvent, { type: 'PurposePublished' }>).data.definition.key;
    const state = catalogueFold.evolve(catalogueFold.evolve(catalogueFold.initial(), published), { ...retired, data: { ...retired.data, key } } as CatalogueEvent);
    expect(versionInForce(state.purposes[key], '2099-01-01T00:00:00.000Z')?.version).toBe(1);
    expect(state.purposes[key]!.retiredAt).not.toBeNull();
    const template = templateInForce(catalogueFold.evolve(state, decoded<CatalogueEvent>('TemplatePublished')), '2099-01-01T00:00:00.000Z');
    expect(resolveField(template, 'news', 'email')).toMatchObject({ kind: 'topic', definition: { doubleOptIn: 'REQUIRED' } });
    expect(templateView(template, ['de'])).toMatchObject({ version: 1, locale: 'de', sections: [{ title: 'Per E-Mail' }, { title: 'Über Sie' }] });
  });

  it('sites and keys', () => {
    const state = SITE_TYPES.reduce<SiteState>((before, type) => siteFold.evolve(before, golden(`${type}.v1.json`) as unknown as SiteEvent), siteFold.initial());
    expect(state.settings.name).toBe('Demo 2');
    expect([...state.keys.values()]).toEqual([expect.objectContaining({ createdBy: 'operator', replacedBy: 'key_7Rw2mKp9TbVc', expiresAt: '2026-11-22T15:58:41.304Z', revokedAt: expect.any(String) })]);
  });
});
