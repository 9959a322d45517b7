import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { siteFold, type SiteState } from '../../libs/access/state.js';
import type { SiteEvent } from '../../libs/access/events.js';
import { catalogueFold, versionInForce } from '../../libs/catalogue/state.js';
import type { CatalogueEvent } from '../../libs/catalogue/events.js';
import { resolveField, templateInForce } from '../../libs/catalogue/template/template.js';
import { templateView } from '../../libs/catalogue/template/template-view.js';
import { consentFold, stateAt } from '../../libs/consent/state.js';
import type { ConsentEvent } from '../../libs/consent/events.js';
import { type EventDefinition } from '../../libs/streams/codec.js';
import { isForgotten, keepSealed, openSealed, type DomainEvent } from '../../libs/kernel/index.js';
import type { EventMetadata } from '../../libs/log/port.js';
import { preferenceFold, shownState, type PreferenceState } from '../../libs/preferences/state.js';
import { fieldCipher } from '../../libs/vault/vault.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import type { WebhookEndpointEvent } from '../../libs/webhooks/events.js';
import { endpointsOf, webhooksFold, type WebhookEndpoint, type WebhooksState } from '../../libs/webhooks/state.js';
import type { SubjectEvent, SubjectMergeReverted, SubjectsMerged } from '../../libs/subjects/events.js';
import { familyOf, standingOf } from '../../libs/subjects/standing.js';
import { isRestricted, subjectFold, type SubjectState } from '../../libs/subjects/state.js';

/**
 * One file for each version of each type of event that was ever written, `<type>.v<version>.json`, and more where one
 * type has several forms: `<type>.v<version>.<form>.json`. They are never edited: a release that cannot read one has
 * broken somebody's history. Personal fields were sealed with the key below; `clear` is what stood there.
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
const codec = COMPOSITION.codec;
const decoded = <E extends DomainEvent>(type: string, form?: string): E => codec.decode<E>(golden(`${type}.v1.${form === undefined ? '' : `${form}.`}json`));
const opened = <E extends DomainEvent>(name: string): E => {
  const { subject, ...event } = golden(`${name}.json`);
  return codec.decode<E>(event, fieldCipher(subject ?? '', KEY));
};

const SITE_TYPES = ['SiteRegistered', 'SiteChanged', 'ApiKeyIssued', 'ApiKeyRotated', 'ApiKeyRevoked'];

describe('every event ever written', () => {
  it('has a file for each version of its type', () => {
    const wanted = COMPOSITION.events.flatMap(({ type, version }: EventDefinition) => Array.from({ length: version }, (_, index) => `${type}.v${index + 1}.json`));
    expect(files.filter((name) => /^\w+\.v\d+\.json$/.test(name)).sort()).toEqual(wanted.sort());
    const forms = files.filter((name) => !/^\w+\.v\d+\.json$/.test(name));
    expect(forms.filter((name) => !wanted.includes(name.replace(/\.[a-z]+\.json$/, '.json')))).toEqual([]);
  });

  it.each(files)('%s is still read', (name) => {
    const { subject, clear, ...event } = golden(name);
    const read = codec.decode(event, subject === undefined ? undefined : fieldCipher(subject, KEY));
    const stood = { type: event.type, data: subject === undefined ? event.data : clear };
    // An upcaster adds what an older version did not know, and takes nothing away.
    if (event.metadata.schemaVersion < codec.versionOf(event.type)) expect(read).toMatchObject(stood);
    else expect(read).toEqual(stood);
  });

  it('reads as forgotten where the key is gone', () => {
    const { subject, ...event } = golden('IdentifierAdded.v1.json');
    const { value } = codec.decode<DomainEvent<string, { value: unknown }>>(event, fieldCipher(subject!, null)).data;
    expect(isForgotten(value)).toBe(true);
    expect(JSON.stringify({ value })).toBe('{"value":null}');
  });
});

describe('today’s code folds them', () => {
  const subjectAfter = (...events: DomainEvent[]): SubjectState => events.reduce<SubjectState>((state, event) => subjectFold.evolve(state, event as SubjectEvent), subjectFold.initial());

  it('subjects and their identifiers', () => {
    const created = opened('SubjectCreated.v1.described');
    expect(subjectAfter(created)).toMatchObject({ createdAt: '2026-11-21T16:12:26.649Z', locale: 'de-AT', country: 'AT', metadata: { tier: 'gold', since: 2019 }, restriction: null });
    expect(subjectAfter(opened('SubjectCreated.v1'))).toMatchObject({ createdAt: '2026-11-21T13:22:25.056Z', locale: null, country: null, metadata: {} });
    const [first, second] = [opened('IdentifierAdded.v1'), opened('IdentifierAdded.v1.verified')];
    const { identifiers } = subjectAfter(created, first, second);
    expect(identifiers[0]).toEqual({ identifierId: 'idn_01M7Z4BEN0C14YZQKPWXGJRVHX', kind: 'visitor_id', value: '7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90', addedAt: '2026-11-21T13:22:25.092Z', verifiedAt: null, verificationMethod: null, primary: true, source: 'API' });
    expect(identifiers[1]).toMatchObject({ kind: 'email', value: 'ada@example.org', verificationMethod: 'OPERATOR', verifiedAt: '2026-11-21T16:12:26.649Z' });
    const verified = opened<DomainEvent<string, { identifierId: string }>>('IdentifierVerified.v1');
    const same = { ...first, data: { ...(first.data as object), identifierId: verified.data.identifierId } };
    expect(subjectAfter(created, same, verified).identifiers[0]).toMatchObject({ verifiedAt: '2026-11-21T16:13:54.665Z', verificationMethod: 'OPERATOR' });
  });

  it('merges and reverts, on both sides', () => {
    const [survived, released] = [decoded<SubjectsMerged>('SubjectsMerged'), opened<SubjectMergeReverted>('SubjectMergeReverted.v1')];
    const { mergeId, absorbedId, survivorId } = survived.data;
    const survivor = subjectAfter(decoded('SubjectCreated'), survived);
    expect(familyOf(standingOf(survivor))).toEqual([absorbedId]);
    expect(isRestricted(survivor, '2027-12-31T23:59:59.999Z')).toBe(true);
    const consent = consentFold.evolve(consentFold.initial(), survived as never);
    expect([consent.purposes['marketing']!.decision, consent.gpc?.active]).toEqual(['DENIED', true]);

    const placed = consentFold.evolve(consentFold.initial(), decoded<SubjectsMerged>('SubjectsMerged', 'placed') as never);
    expect([consent.place, placed.place]).toEqual([undefined, { country: 'US', region: 'US-CA', since: '2026-11-21T16:12:26.795Z' }]);

    const reverted = { ...released, data: { ...released.data, mergeId } };
    expect(familyOf(standingOf(subjectAfter(decoded('SubjectCreated'), survived, reverted)))).toEqual([]);
    expect(isRestricted(subjectAfter(survived, reverted), '2027-12-31T23:59:59.999Z')).toBe(false);
    expect(consentFold.evolve(consent, reverted as never).purposes['marketing']!.decision).toBe('GRANTED');

    const closed = opened<SubjectsMerged>('SubjectsMerged.v1.absorbed');
    const absorbed = subjectAfter(decoded('SubjectCreated'), closed);
    expect(standingOf(absorbed).merged).toEqual({ into: survivorId, mergeId, policy: 'MOST_RESTRICTIVE', carryOver: null, mergedAt: '2026-11-21T16:12:26.820Z' });
    const open = subjectAfter(decoded('SubjectCreated'), closed, opened('SubjectMergeReverted.v1.absorbed'));
    expect(standingOf(open)).toMatchObject({ merged: null, formerly: [expect.stringMatching(/^sub_/)] });
    expect(standingOf(subjectAfter(closed, opened('SubjectMergeReverted.v1.declined')))).toMatchObject({ merged: { mergeId }, declined: [{ mergeId: expect.stringMatching(/^mrg_/), subjectId: expect.stringMatching(/^sub_/) }] });
  });

  it('holds and erasure', () => {
    const [held, lifted, erased] = [decoded('SubjectRestricted'), decoded('SubjectRestrictionLifted'), decoded('SubjectErased')];
    expect(isRestricted(subjectAfter(held), '2027-12-31T23:59:59.999Z')).toBe(true);
    expect(isRestricted(subjectAfter(held), '2028-01-01T00:00:00.000Z')).toBe(false);
    expect(subjectAfter(held, lifted).restriction).toBeNull();
    const gone = subjectAfter(opened('SubjectCreated.v1.described'), opened('IdentifierAdded.v1.verified'), erased);
    expect(gone).toMatchObject({ locale: null, country: null, metadata: {}, identifiers: [] });
    expect(standingOf(gone).erasedAt).toBe('2026-11-21T16:12:58.043Z');
    expect(consentFold.evolve(consentFold.evolve(consentFold.initial(), decoded('ConsentRecorded')), erased as never).purposes).toEqual({});
  });

  it('what was shown, which is no person’s and stays when the key is gone', () => {
    for (const type of ['ConsentRecorded', 'PreferenceSet']) {
      const { data } = decoded<DomainEvent<string, { presentation: unknown; metadata: unknown }>>(type, 'presented');
      expect(data.presentation).toEqual((golden(`${type}.v1.presented.json`).clear as typeof data).presentation);
      expect(isForgotten(data.metadata)).toBe(true);
    }
  });

  it('consent', () => {
    const recorded = decoded<ConsentEvent>('ConsentRecorded');
    const state = consentFold.evolve(consentFold.initial(), recorded);
    expect(stateAt(state.purposes['marketing'], '2027-05-20T13:22:25.091Z')).toBe('GRANTED');
    expect(stateAt(state.purposes['marketing'], '2027-05-20T13:22:25.092Z')).toBe('EXPIRED');
    expect(state.gpc).toEqual({ active: true, since: '2026-11-21T13:22:25.092Z' });
    const expired = decoded<ConsentEvent>('ConsentExpired');
    expect(consentFold.evolve(state, expired)).toBe(state);
  });

  it('claims without a date, which stand above no refusal', () => {
    const claimed = decoded<ConsentEvent>('ConsentRecorded', 'undated');
    const refused = { ...claimed, data: { ...claimed.data, decision: 'WITHDRAWN', source: 'API', givenAt: '2026-11-01T00:00:00.000Z', undated: undefined } } as ConsentEvent;
    for (const events of [[claimed, refused], [refused, claimed]])
      expect(events.reduce(consentFold.evolve, consentFold.initial()).purposes['marketing']!.decision).toBe('WITHDRAWN');
    const state = preferenceFold.evolve(preferenceFold.initial(), decoded('PreferenceSet', 'undated'));
    expect(state.topics['channels.email.topics.news']).toMatchObject({ state: 'GRANTED', undated: { above: null } });
  });

  it('preferences', () => {
    const after = (...names: string[]): PreferenceState => {
      const read = names.map((name) => golden(`${name}.v1.json`)).map(({ subject, ...event }) => codec.decode(event, keepSealed(subject ?? '')));
      return read.reduce<PreferenceState>((state, event) => preferenceFold.evolve(state, event as never), preferenceFold.initial());
    };
    const news = (state: PreferenceState, at: string): string => shownState(state.topics['channels.email.topics.news'], at);
    const [said, asked] = [after('PreferenceSet'), after('PreferenceSet', 'PreferenceConfirmationRequested')];
    expect([news(said, '2099-01-01T00:00:00.000Z'), news(asked, '2026-11-23T16:30:59.999Z'), news(asked, '2026-11-23T16:31:00.000Z')]).toEqual(['PENDING', 'PENDING', 'EXPIRED']);
    expect(said.topics['channels.email.topics.product_updates']).toMatchObject({ state: 'DENIED', pausedUntil: '2027-01-01T00:00:00.000Z' });
    expect(said.globalOptOut).toEqual({ active: false, since: '2026-11-21T16:30:00.000Z' });
    const { subject } = golden('PreferenceSet.v1.json');
    expect(Object.entries(said.fields).map(([key, { value }]) => [key, openSealed(value, () => fieldCipher(subject!, KEY))])).toEqual([['birthday', '1990-12-31'], ['interests', ['books', 'garden']], ['age', null]]);
    const confirmed = after('PreferenceSet', 'PreferenceConfirmationRequested', 'PreferenceConfirmed', 'PreferenceConfirmationExpired');
    expect(confirmed.topics['channels.email.topics.news']).toMatchObject({ state: 'GRANTED', confirmedAt: '2026-11-21T17:00:00.000Z', frequency: 'WEEKLY', pending: null });
    const over = after('PreferenceSet', 'PreferenceConfirmationRequested', 'PreferenceConfirmationExpired');
    expect([news(over, '2026-11-23T16:31:01.000Z'), Object.values(over.requests).map(({ expired }) => expired)]).toEqual(['EXPIRED', [true]]);
    expect(decoded<DomainEvent<string, { outcome: string }>>('PreferenceConfirmationMailed').data.outcome).toBe('ACCEPTED');
    const [left, back] = (['unsubscribed', 'undone'] as const).map((form) => opened(`PreferenceSet.v1.${form}`) as never);
    const unsubscribed = preferenceFold.evolve(confirmed, left!);
    expect(unsubscribed.topics['channels.email.topics.news']).toMatchObject({ state: 'DENIED', confirmedAt: null, takenAway: { confirmedAt: '2026-11-21T17:00:00.000Z' } });
    expect(preferenceFold.evolve(unsubscribed, back!).topics['channels.email.topics.news']).toMatchObject({ state: 'GRANTED', confirmedAt: '2026-11-21T17:00:00.000Z' });
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
    const state = SITE_TYPES.reduce<SiteState>((before, type) => siteFold.evolve(before, { ...decoded<SiteEvent>(type), metadata: golden(`${type}.v1.json`).metadata }), siteFold.initial());
    expect(state.settings.name).toBe('Demo 2');
    expect(state.settings.brand ?? state.settings.logo).toBeUndefined();
    expect(siteFold.evolve(state, opened('SiteChanged.v1.brand')).settings).toMatchObject({ name: 'Demo 2', brand: { displayName: { de: 'Laden Beispiel' }, accentColor: '#0b3d91', afterConfirming: 'PAGE' }, logo: { mediaType: 'image/png', width: 32, height: 16 } });
    expect([...state.keys.values()]).toEqual([expect.objectContaining({ createdBy: 'operator', replacedBy: 'key_7Rw2mKp9TbVc', expiresAt: '2026-11-22T15:58:41.304Z', revokedAt: expect.any(String) })]);
  });

  it('endpoints of webhooks', () => {
    const [url, secret] = (['sealedUrl', 'sealedSecret'] as const).map((name) => (golden('WebhookEndpointCreated.v1.json').data as Record<string, string>)[name]);
    const after = (...types: string[]): WebhookEndpoint | undefined =>
      endpointsOf(types.reduce<WebhooksState>((before, type) => webhooksFold.evolve(before, { ...decoded<WebhookEndpointEvent>(type), metadata: golden(`${type}.v1.json`).metadata }), webhooksFold.initial()))[0];
    const created = after('WebhookEndpointCreated');
    expect(created).toEqual({
      id: 'whe_01M7ZJ4Q2V8K6D3T5R9WXCB0HN',
      sealedUrl: url,
      types: ['consent.*', 'subject.erased'],
      description: 'Warehouse',
      includeIdentifiers: false,
      state: 'ENABLED',
      disabledReason: null,
      sealedSecret: secret,
      previousSecret: null,
      createdAt: '2026-11-22T17:24:11.219Z',
      createdBy: 'key_xeESJMDvWdte',
      changedAt: '2026-11-22T17:24:11.219Z',
      triedSince: '2026-11-22T17:24:11.219Z',
      lastReplay: null,
    });
    expect(after('WebhookEndpointCreated', 'WebhookEndpointChanged')).toMatchObject({ types: ['*'], description: null, includeIdentifiers: true, changedAt: '2026-11-22T17:30:00.001Z', triedSince: '2026-11-22T17:30:00.001Z' });
    expect(after('WebhookEndpointCreated', 'WebhookEndpointPaused')).toMatchObject({ state: 'PAUSED', triedSince: created!.triedSince });
    const disabled = after('WebhookEndpointCreated', 'WebhookSecretRotated', 'WebhookTestRequested', 'WebhookReplayRequested', 'WebhookDeliveryRetried', 'WebhookEndpointDisabled');
    expect(disabled).toMatchObject({ state: 'DISABLED', disabledReason: 'FAILING', previousSecret: { sealed: secret, until: '2026-11-23T17:33:00.001Z' } });
    expect(after('WebhookEndpointCreated', 'WebhookEndpointDisabled', 'WebhookEndpointResumed')).toMatchObject({ state: 'ENABLED', disabledReason: null, triedSince: '2026-11-22T17:32:00.001Z' });
    expect(after('WebhookEndpointCreated', 'WebhookEndpointDeleted')).toBeUndefined();
  });
});
