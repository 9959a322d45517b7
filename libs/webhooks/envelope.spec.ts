import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { faultOf } from '../../test/support/webhook-events.js';
import type { RecordedEvent } from '../log/port.js';
import { COMPOSITION } from '../composition/contexts.js';
import { fieldCipher } from '../vault/vault.js';
import { bodyText, envelopesOf, positionOf, sequenceOf, WEBHOOK_API_VERSION, type Envelope } from './envelope.js';
import { eventCatalogue } from './types/event-catalogue.js';
import { Announcer } from './announced-events.js';
import { PLACES_MAX } from '../context/webhook-types.js';

const FOLDER = new URL('../../test/history/', import.meta.url);
/** The bodies of every form of every event, as they are sent. They are made anew each time, so nothing else keeps them. */
const BODIES = new URL(`bodies/${WEBHOOK_API_VERSION}.json`, FOLDER);
interface Golden {
  type: string;
  metadata: RecordedEvent['metadata'];
  data: unknown;
  subject?: string;
  clear?: object;
}
/** Every version of every event that was ever written. */
const GOLDEN = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name): [string, Golden] => [name, JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Golden]);

const SUBJECT = 'sub_01M7Z4BEN0C14YZQKPWXGJRVHX';
const streamOf = (type: string): string =>
  /^(Purpose|Template|Banner|Policies|Cookies|Vendors)/.test(type)
    ? 'catalogue-shop.live'
    : /^(ApiKey|Site)/.test(type)
      ? 'site-shop'
      : /^Webhook/.test(type)
        ? 'webhooks-shop.live'
        : /^DataRequest/.test(type)
          ? 'request-shop.live.dsr_01M80C4T0Q4WXE9V2M6J8K3N5P'
          : `subject-shop.live.${SUBJECT}`;
const stored = ({ type, metadata, data }: Golden): RecordedEvent => ({
  id: '6f1c5f0e-6b0a-5d3c-9a5e-7c1b2d4e8f90',
  type,
  data,
  metadata,
  stream: streamOf(type),
  revision: 3,
  position: 41n,
});
const { webhooks: types } = COMPOSITION;
const announcer = new Announcer(COMPOSITION.codec, types);
const announced = (golden: Golden): Envelope[] => {
  const logged = announcer.logged(stored(golden));
  return logged ? envelopesOf(logged, 'live', types) : [];
};

const ajv = addFormats.default(new Ajv2020({ strict: true }));

describe('what webhooks tell', () => {
  it.each(GOLDEN)('of %s is as its schema says, and never what is personal', (_, golden) => {
    const envelopes = announced(golden);
    for (const envelope of envelopes) expect(faultOf(envelope)).toBeNull();
    if (golden.subject === undefined) return;
    // With the key at hand it would be the same to the byte: nothing sealed is looked at.
    const cipher = fieldCipher(golden.subject, Buffer.alloc(32, 7));
    const open = { ...announcer.logged(stored(golden)), data: COMPOSITION.codec.decode(golden, cipher).data };
    if (envelopes.length > 0) expect(envelopesOf(open as never, 'live', types)).toEqual(envelopes);
  });

  it('has the bytes that it ever had within this apiVersion', () => {
    const made = Object.fromEntries(
      GOLDEN.map(([name, golden]) => [name, announced(golden).map(bodyText)]).filter(
        ([, bodies]) => bodies!.length > 0,
      ),
    );
    const kept = JSON.parse(readFileSync(BODIES, 'utf8')) as Record<string, string[]>;
    const added = { ...made, ...kept };
    // What is new is added by ASSENT_ADD_BODIES=1. A receiver compares what it fetches again: no body that stands there changes.
    if (process.env['ASSENT_ADD_BODIES']) writeFileSync(BODIES, `${JSON.stringify(added, null, 1)}\n`);
    expect(made).toEqual(process.env['ASSENT_ADD_BODIES'] ? added : kept);
  });

  it('is something of each type that is said to be sent', () => {
    const sent = new Set(GOLDEN.flatMap(([, golden]) => announced(golden).map(({ type }) => type)));
    const never = types.names.filter((type) => !sent.has(type));
    // Of these no form was ever written down; test/acceptance/webhook-events.spec.ts causes them.
    expect(never.sort()).toEqual(['consent.denied', 'consent.renewal_required', 'consent.withdrawn']);
  });

  it('has the same id, sequence and bytes whenever it is asked, and each event one of its own', () => {
    const [, golden] = GOLDEN.find(([name]) => name === 'ConsentRecorded.v1.json')!;
    const [first, again] = [announced(golden), announced(golden)];
    expect(first.map(bodyText)).toEqual(again.map(bodyText));
    expect(first.map(({ type }) => type)).toEqual(['consent.recorded', 'consent.granted', 'receipt.issued']);
    expect(new Set(first.map(({ id }) => id)).size).toBe(3);
    expect(first.map(({ sequence }) => sequence)).toEqual([656, 657, 660]);
    expect(first.map(({ sequence }) => positionOf(sequence))).toEqual([41n, 41n, 41n]);
  });

  it('goes by the order of the log', () => {
    expect(sequenceOf(42n, 0)).toBeGreaterThan(sequenceOf(41n, PLACES_MAX - 1));
    // What receivers have seen as a sequence must not come to mean another event: new types are added at the end.
    expect(
      Object.fromEntries(types.events.map((event) => [event, types.of(event).map(({ webhook }) => webhook.type)])),
    ).toEqual({
      ConsentRecorded: ['consent.recorded', 'consent.granted', 'consent.denied', 'consent.withdrawn', 'receipt.issued'],
      ConsentExpired: ['consent.expired'],
      PreferenceSet: ['preference.updated', 'preference.pending', 'receipt.issued'],
      PreferenceConfirmationRequested: ['preference.pending'],
      PreferenceConfirmed: ['preference.confirmed', 'receipt.issued'],
      PreferenceConfirmationExpired: ['preference.confirmation_expired'],
      SubjectCreated: ['subject.created'],
      IdentifierAdded: ['subject.identifier_added'],
      SubjectsMerged: ['subject.merged'],
      SubjectMergeReverted: ['subject.merge_reverted'],
      SubjectErased: ['subject.erased', 'receipt.issued'],
      PurposePublished: ['purpose.published', 'consent.renewal_required'],
      PurposeRetired: ['purpose.retired'],
      PoliciesPublished: ['policy.published'],
      BannerPublished: ['banner.published'],
      TemplatePublished: ['template.published'],
      ApiKeyRotated: ['api_key.rotated'],
      ApiKeyRevoked: ['api_key.revoked'],
      WebhookTestRequested: ['webhook.test'],
      VendorListAdopted: ['vendor_list.updated'],
      WebhookEndpointDisabled: ['webhook.endpoint_disabled'],
      DataRequestReceived: ['data_request.received'],
      DataRequestVerified: ['data_request.verified'],
      DataRequestExtended: ['data_request.extended'],
      DataRequestDueSoon: ['data_request.due_soon'],
      DataRequestOverdue: ['data_request.overdue'],
      DataRequestCompleted: ['data_request.completed'],
      DataRequestRejected: ['data_request.rejected'],
    });
  });

  it('comes only of events that some context stores', () => {
    const known = new Set(COMPOSITION.events.map(({ type }) => type));
    expect(types.events.filter((type) => !known.has(type))).toEqual([]);
  });
});

describe('the catalogue of webhook events', () => {
  const catalogue = eventCatalogue(types);

  it('names each type once', () => {
    const names = catalogue.map(({ type }) => type);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual([...names].sort());
  });

  it.each(catalogue.map((each) => [each.type, each] as const))(
    '%s has an example that its schema takes',
    (type, { schema, example }) => {
      const validate = ajv.compile(schema);
      expect([type, validate(example), validate.errors]).toEqual([type, true, null]);
      // A receiver that was written today takes what comes later.
      expect(
        validate({ ...example, more: true, data: { ...example.data, object: { ...example.data.object, more: 1 } } }),
      ).toBe(true);
      const { sequence: _, ...lacking } = example;
      expect(validate(lacking)).toBe(false);
      expect(validate({ ...example, data: { ...example.data, object: {} } })).toBe(false);
    },
  );
});
