import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { projected, type Projection } from '../../libs/following/projections/projection.js';
import type { RecordedEvent } from '../../libs/log/port.js';
import { hashOf, keepSealed, type DomainEvent } from '../../libs/kernel/index.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { wholeFold } from '../../libs/subjects/parts.js';
import { subjectFold } from '../../libs/subjects/state.js';
import { DRAFT_STREAM_FOLD } from '../../libs/catalogue/editing/draft-desk.js';
import { WEBHOOKS_STREAM_FOLD } from '../../libs/webhooks/stream-fold.js';

/*
 * Rows and snapshots are believed as long as the version of their fold stands. So whoever changes what a fold makes of
 * events raises its version, or states of two rules are mixed. Here each fold folds the golden events of test/history;
 * what comes of them stands in fold-digests.json, by fold, version and history.
 *
 * After raising a version, or adding a history:
 *   ASSENT_ADD_DIGESTS=1 npm test -- test/laws/fold-versions.spec.ts
 * It adds what is missing, and never changes what stands there.
 */
const DIGESTS = new URL('fold-digests.json', import.meta.url);
const GOLDEN = new URL('../history/', import.meta.url);
const ADDS = process.env['ASSENT_ADD_DIGESTS'] === '1';

/** Golden events, in an order in which they may have happened. A list is never changed: new golden files make a new one. */
const HISTORIES: Record<string, readonly string[]> = {
  'until 2026-11-22': [
    'SiteRegistered.v1',
    'SiteChanged.v1',
    'ApiKeyIssued.v1',
    'ApiKeyRotated.v1',
    'ApiKeyRevoked.v1',
    'PurposePublished.v1',
    'PurposeRetired.v1',
    'TemplatePublished.v1',
    'SubjectCreated.v1',
    'SubjectCreated.v1.described',
    'IdentifierAdded.v1',
    'IdentifierAdded.v1.verified',
    'IdentifierVerified.v1',
    'ConsentRecorded.v1',
    'ConsentExpired.v1',
    'BatchCompleted.v1',
    'PreferenceSet.v1',
    'PreferenceConfirmationRequested.v1',
    'PreferenceConfirmationMailed.v1',
    'PreferenceConfirmed.v1',
    'PreferenceConfirmationExpired.v1',
    'SubjectRestricted.v1',
    'SubjectRestrictionLifted.v1',
    'SubjectsMerged.v1',
    'SubjectMergeReverted.v1',
    'SubjectsMerged.v1.absorbed',
    'SubjectMergeReverted.v1.absorbed',
    'SubjectMergeReverted.v1.declined',
    'SubjectErased.v1',
    'ProjectionRebuilt.v1',
    'ProjectionResumed.v1',
    'ProjectionSkipped.v1',
    'ProjectionSkipped.v1.everywhere',
    'AuditExported.v1',
  ],
  'states of what ran out': ['PreferenceConfirmationExpired.v1.states'],
  'who looked at a subject': ['SubjectShown.v1'],
  'who saw identifiers in clear, and why': ['IdentifiersRevealed.v1'],
  'who may read what data teams are shown': ['DataRoleChanged.v1'],
  'who may operate': ['OperatorTokenIssued.v1', 'OperatorTokenRotated.v1', 'OperatorTokenRevoked.v1'],
  'what each operator may do': ['OperatorTokenIssued.v2'],
  'what an operator may do from now on': ['OperatorTokenChanged.v1'],
  'what links did, and its undoing': ['PreferenceSet.v1.unsubscribed', 'PreferenceSet.v1.undone'],
  'which log is the truth': ['LogAccepted.v1'],
  'which keys sign receipts': ['SigningKeyAnnounced.v1', 'SigningKeyRevoked.v1'],
  'where an absorbed subject was': ['SubjectsMerged.v1.placed'],
  'how sites look': ['SiteChanged.v1.brand'],
  'whom cookies and strings name': ['VendorsPublished.v1'],
  'what is kept on devices': ['CookiesPublished.v1'],
  'under which path cookies are kept': ['CookiesPublished.v1.path'],
  'how people are asked': ['BannerPublished.v1'],
  'which rules of law a site has made its own': ['PoliciesPublished.v1'],
  'what was shown to ask somebody': ['ConsentRecorded.v1.presented', 'PreferenceSet.v1.presented'],
  'how it was on the screen': ['ConsentRecorded.v1.displayed'],
  'where webhooks go': [
    'WebhookEndpointCreated.v1',
    'WebhookEndpointChanged.v1',
    'WebhookEndpointPaused.v1',
    'WebhookEndpointResumed.v1',
    'WebhookSecretRotated.v1',
    'WebhookTestRequested.v1',
    'WebhookReplayRequested.v1',
    'WebhookDeliveryRetried.v1',
    'WebhookEndpointDisabled.v1',
    'WebhookEndpointDeleted.v1',
  ],
  'which vendor lists were used': [
    'VendorListKept.v1',
    'VendorListTaken.v1',
    'VendorListRefused.v1',
    'VendorListTextsTaken.v1',
    'VendorListAdopted.v1',
  ],
  'what people asked for': [
    'DataRequestReceived.v1',
    'DataRequestVerificationRequested.v1',
    'DataRequestVerified.v1',
    'DataRequestStarted.v1',
    'DataRequestHeld.v1',
    'DataRequestResumed.v1',
    'DataRequestDueSoon.v1',
    'DataRequestExtended.v1',
    'DataRequestOverdue.v1',
    'DataRequestCompletionBegun.v1',
    'DataRequestCompletionStopped.v1',
    'DataRequestCompleted.v1',
    'DataRequestExpired.v1',
    'DataRequestRejected.v1',
    'DataRequestCanceled.v1',
    'DataRequestMarkedDuplicate.v1',
  ],
  'what was not proven': ['DataRequestReceived.v1.unproven'],
  'what was handed out': ['DataRequestCompleted.v1.archive'],
  'what others claim without a date': ['ConsentRecorded.v1.undated', 'PreferenceSet.v1.undated'],
  'how operators edit a catalogue': ['CatalogueEditingChanged.v1', 'CatalogueDraftPublished.v1'],
  'who drafted what': ['CatalogueDraftSaved.v1', 'CatalogueDraftDiscarded.v1'],
  'who works on a request': ['DataRequestAssigned.v1', 'DataRequestNoted.v1'],
  'what was put right': [
    'SubjectRectified.v1',
    'DataRequestReceived.v1.corrections',
    'DataRequestCompletionBegun.v1.corrections',
  ],
};

type Golden = Pick<RecordedEvent, 'type' | 'data' | 'metadata'> & { subject?: string };

/** As they stand in the files. */
const asTheyAre = (name: string): Golden => JSON.parse(readFileSync(new URL(`${name}.json`, GOLDEN), 'utf8')) as Golden;
/** As if all were about the same record, request, merge, key and purpose, so that one event changes what another one left. */
const related = (name: string): Golden =>
  JSON.parse(
    readFileSync(new URL(`${name}.json`, GOLDEN), 'utf8')
      .replace(/"(?!sub_)([a-z]+)_[0-9A-Za-z]{12,26}"/g, '"$1_01K00000000000000000000000"')
      .replace(/"(purpose|key)": "[a-z_]+"/g, '"$1": "marketing"'),
  ) as Golden;

const SUBJECT = 'sub_01K00000000000000000000000';

interface Versioned {
  name: string;
  version: string;
  /** Where the version stands, for whoever has to raise it. */
  place: string;
  takes: (type: string) => boolean;
  initial: () => unknown;
  evolve: (state: unknown, event: Golden, revision: number) => unknown;
  shown: (state: unknown) => unknown;
}

const PARTS = [
  subjectFold,
  ...COMPOSITION.parts.map(({ fold }) => fold),
  wholeFold(COMPOSITION.parts),
  WEBHOOKS_STREAM_FOLD,
  DRAFT_STREAM_FOLD,
];
const STREAM_FOLDS = PARTS.map((fold): Versioned => {
  const { name, version } = fold.snapshots!;
  return {
    name: `snapshots of ${name}`,
    version,
    place: `snapshots.version of the fold "${name}"`,
    takes: (type) => (fold.on as readonly string[]).includes(type),
    initial: fold.initial,
    evolve: (state, event, revision) => {
      const { data } = COMPOSITION.codec.decode(event, keepSealed(event.subject ?? SUBJECT));
      const { type, metadata } = event;
      return fold.evolve(state as never, { type, data, revision, metadata } as never);
    },
    shown: (state) => state,
  };
});
const PROJECTIONS = COMPOSITION.readModels.map(({ projection }): Versioned => {
  const isAboutSubjects = projection.streams.includes('subject-');
  const stream = isAboutSubjects ? `subject-shop.test.${SUBJECT}` : `${projection.streams[0]}shop`;
  const recorded = ({ type, data, metadata }: Golden, revision: number): RecordedEvent => {
    const id = `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`;
    return { id, type, data, metadata, stream, revision, position: BigInt(revision) };
  };
  const key = isAboutSubjects ? SUBJECT : 'shop';
  const read = (event: Golden, revision: number) =>
    projected(projection, COMPOSITION.codec, recorded(event, revision)) as never;
  const { counts } = projection;
  return {
    name: `rows of ${projection.name}`,
    version: String(projection.version),
    place: `version of the projection "${projection.name}"`,
    takes: (type) => projection.on.includes(type),
    ...(counts
      ? withCounts(projection, counts, key, read)
      : {
          initial: () => projection.initial(key),
          evolve: (state, event, revision) => projection.evolve(state, read(event, revision)),
          shown: (state) => projection.rows(key, state),
        }),
  };
});

type AnyProjection = Projection<unknown, DomainEvent>;

/** What is counted belongs to the rows: both are built anew together. */
function withCounts(
  projection: AnyProjection,
  counts: NonNullable<AnyProjection['counts']>,
  key: string,
  read: (event: Golden, revision: number) => never,
): Pick<Versioned, 'initial' | 'evolve' | 'shown'> {
  type Counted = { state: unknown; added: unknown[] };
  return {
    initial: (): Counted => ({ state: projection.initial(key), added: [] }),
    evolve: (before, event, revision): Counted => {
      const { state, added } = before as Counted;
      const after = projection.evolve(state, read(event, revision));
      return { state: after, added: [...added, ...counts.added(state, read(event, revision), after)] };
    },
    shown: (counted) => {
      const { state, added } = counted as Counted;
      return { rows: projection.rows(key, state), added };
    },
  };
}
const FOLDS = [...STREAM_FOLDS, ...PROJECTIONS];

/** What JSON can say of a state. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, member: unknown) =>
      typeof member === 'bigint'
        ? `${member}n`
        : member instanceof Map
          ? [...(member as Map<unknown, unknown>)]
          : member,
    ),
  );

/** The state after each event: where one cannot follow, the state stays. */
function statesAfter(fold: Versioned, events: readonly Golden[]): unknown[] {
  let state = fold.initial();
  return events.map((event, revision) => {
    try {
      state = fold.evolve(state, event, revision);
      return plain(fold.shown(state));
    } catch (error) {
      return (error as Error).name;
    }
  });
}

/** Of all events in their order and in the reverse one, and of every two of them; each as they are, and related. */
function digestOf(fold: Versioned, history: readonly string[]): string {
  const states = [asTheyAre, related].map((read) => {
    const events = history.map(read).filter(({ type }) => fold.takes(type));
    const pairs = events.flatMap((first) => events.map((second) => statesAfter(fold, [first, second])));
    return [statesAfter(fold, events), statesAfter(fold, events.toReversed()), pairs];
  });
  return hashOf(states);
}

type Digests = Record<string, Record<string, Record<string, string>>>;
const stored = (): Digests => (existsSync(DIGESTS) ? (JSON.parse(readFileSync(DIGESTS, 'utf8')) as Digests) : {});

function add(name: string, version: string, history: string, digest: string): void {
  const digests = stored();
  ((digests[name] ??= {})[version] ??= {})[history] ??= digest;
  writeFileSync(DIGESTS, `${JSON.stringify(digests, null, 2)}\n`);
}

describe('the version of each fold', () => {
  const cases = FOLDS.flatMap((fold) =>
    Object.entries(HISTORIES).map(([name, events]) => [fold.name, name, fold, events] as const),
  );

  it.each(cases)('stands for what it folds: %s, %s', (name, history, fold, events) => {
    const digest = digestOf(fold, events);
    if (ADDS) add(name, fold.version, history, digest);
    const known = stored()[name]?.[fold.version]?.[history];
    if (known === undefined)
      throw new Error(
        `There is no digest of "${name}" in version ${fold.version} yet. Add it: ASSENT_ADD_DIGESTS=1 npm test -- test/laws/fold-versions.spec.ts`,
      );
    if (known !== digest)
      throw new Error(
        `"${name}" makes something else of the golden events than it did, but its version is ${fold.version} still: rows and snapshots of both rules would be mixed. ` +
          `Raise the ${fold.place} (and of the folds that are made of it, and the version of the view where answers change), then add the digests: ` +
          'ASSENT_ADD_DIGESTS=1 npm test -- test/laws/fold-versions.spec.ts',
      );
  });

  it('is tried over every golden event', () => {
    const files = readdirSync(GOLDEN).filter((file) => file.endsWith('.json'));
    expect(Object.values(HISTORIES).flat().sort()).toEqual(files.map((file) => file.replace(/\.json$/, '')).sort());
  });

  it('is tried with events that move each fold', () => {
    for (const fold of FOLDS) {
      const events = Object.values(HISTORIES)
        .flat()
        .map(related)
        .filter(({ type }) => fold.takes(type));
      const initial = plain(fold.shown(fold.initial()));
      const moved = events.filter((event) => !isDeepStrictEqual(statesAfter(fold, [event]), [initial]));
      expect({ fold: fold.name, moved: moved.length }).not.toEqual({ fold: fold.name, moved: 0 });
    }
  });
});
