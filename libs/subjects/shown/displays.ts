import { defineDisplays, type Mask, type TimelineEntry } from '../../context/subject-timeline.js';
import type { Instant } from '../../kernel/index.js';
import { erasureReceipt } from '../../receipts/index.js';
import type { SubjectEvent, SubjectRectifiedData } from '../events.js';

/** How archives, bundles, timelines and receipts show what happened to a subject as a whole. */
export const subjectDisplays = defineDisplays<SubjectEvent>({
  SubjectCreated: {
    headline: 'Was seen for the first time',
    entries: () => [{}],
    says: ({ data: { createdAt } }) => ({ at: createdAt }),
    line: () => '',
  },
  IdentifierAdded: {
    headline: 'An identifier was added',
    says: ({ data: { addedAt, identifierId: id, ...identifier } }) => ({
      at: addedAt,
      identifier: { id, ...identifier, value: textOrNull(identifier.value) },
    }),
    entries: ({ addedAt, kind, source, identifierId }) => [
      { givenAt: addedAt, about: kind, source, note: identifierId },
    ],
    line: ({ kind, value }, mask) => `${kind} ${typeof value === 'string' ? mask(value) : '(forgotten)'}`,
    isAboutIdentifiers: true,
  },
  IdentifierVerified: {
    headline: 'An identifier was verified',
    says: ({ data: { identifierId: id, method: verificationMethod, verifiedAt } }) => ({
      at: verifiedAt,
      identifier: { id, verificationMethod, verifiedAt },
    }),
    entries: ({ verifiedAt, method, identifierId }) => [{ givenAt: verifiedAt, method, note: identifierId }],
    line: ({ method }) => method,
  },
  SubjectRectified: {
    headline: 'What was wrong was put right',
    says: ({ data: { rectifiedAt, removed = [], locale, country } }) => ({
      at: rectifiedAt,
      rectified: {
        removed: removed.map(({ identifierId: id, kind }) => ({ id, kind })),
        ...(locale !== undefined && { locale: textOrNull(locale) }),
        ...(country !== undefined && { country: textOrNull(country) }),
      },
    }),
    entries: entriesOfRectified,
    line: lineOfRectified,
    isAboutIdentifiers: true,
  },
  SubjectsMerged: {
    headline: 'Two subjects became one',
    says: ({
      data: { mergeId: id, role, survivorId, absorbedId, policy, carryOver, mergedAt, conflicts, reason },
    }) => ({
      at: mergedAt,
      merge: {
        id,
        role,
        survivor: { id: survivorId },
        absorbed: [{ id: absorbedId }],
        policy,
        carryOver,
        ...(conflicts && { conflicts }),
        ...(reason !== undefined && { reason: textOrNull(reason) }),
      },
    }),
    entries: (data) => [{ givenAt: data.mergedAt, note: intoSurvivor(data) }],
    line: intoSurvivor,
    own: ({ mergeId, survivorId, absorbedId, mergedAt }, family) =>
      ownMerge(mergeId, [survivorId, absorbedId], mergedAt, family),
  },
  SubjectMergeReverted: {
    headline: 'A merge was taken back',
    says: ({ data: { mergeId: id, role, survivorId, absorbedIds, revertedAt, cause, reason } }) => ({
      at: revertedAt,
      merge: {
        id,
        role,
        survivor: { id: survivorId },
        absorbed: absorbedIds.map((each) => ({ id: each })),
        cause,
        ...(reason !== undefined && { reason: textOrNull(reason) }),
      },
    }),
    entries: (data) => [{ givenAt: data.revertedAt, note: outOfSurvivor(data) }],
    line: outOfSurvivor,
    own: ({ mergeId, survivorId, absorbedIds, revertedAt }, family) =>
      ownMerge(mergeId, [survivorId, ...absorbedIds], revertedAt, family),
  },
  SubjectErased: {
    headline: 'Was erased',
    says: ({ data: { erasedAt, receiptId, reason, rootId } }) => ({
      at: erasedAt,
      erasure: { reason, subject: { id: rootId } },
      receiptId,
    }),
    entries: ({ erasedAt, receiptId, reason, rootId }) => [
      { givenAt: erasedAt, receipt: receiptId, note: `${reason} ${rootId}` },
    ],
    line: ({ reason }) => reason,
    receipt: {
      // Of subjects that were erased together, one receipt stands for all: that of the one who was asked about.
      id: ({ rootId, receiptId }, subjectId) => (rootId === subjectId ? receiptId : null),
      make: (facts, { site, env, subjectId }) => ({
        receipt: erasureReceipt({ ...facts, site, env, subjectId }),
        recordedAt: facts.erasedAt,
      }),
    },
  },
  SubjectRestricted: {
    headline: 'Processing was restricted',
    says: ({ data: { restrictedAt, until, reason } }) => ({
      at: restrictedAt,
      restriction: { until, ...(reason !== undefined && { reason: textOrNull(reason) }) },
    }),
    entries: ({ restrictedAt, until }) => [{ givenAt: restrictedAt, validUntil: until }],
    line: ({ until }) => (until === null ? 'without end' : `until ${until}`),
  },
  SubjectRestrictionLifted: {
    headline: 'The restriction ended',
    says: ({ data: { liftedAt, reason } }) => ({
      at: liftedAt,
      restriction: { until: liftedAt, ...(reason !== undefined && { reason: textOrNull(reason) }) },
    }),
    entries: ({ liftedAt }) => [{ givenAt: liftedAt }],
    line: () => '',
  },
});

/** Null: forgotten. */
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function intoSurvivor({ absorbedId, survivorId }: { absorbedId: string; survivorId: string }): string {
  return `${absorbedId} into ${survivorId}`;
}

function outOfSurvivor({ absorbedIds, survivorId }: { absorbedIds: readonly string[]; survivorId: string }): string {
  return `${absorbedIds.join(' ')} out of ${survivorId}`;
}

/**
 * Events of a merge carry what was known of both sides, and after it was taken back one of them is another person again.
 * The archive of a subject says only who belonged to whom, and when.
 */
const ownMerge = (mergeId: string, ids: readonly string[], at: Instant, family: readonly string[]): object => ({
  mergeId,
  subjects: ids.filter((id) => family.includes(id)),
  at,
});

/** What was taken away, and what was set anew: not to what. */
function entriesOfRectified({
  rectifiedAt,
  removed = [],
  locale,
  country,
}: SubjectRectifiedData): Partial<TimelineEntry>[] {
  const rows = [
    ...removed.map(({ kind, identifierId }) => ({ about: kind, note: identifierId })),
    ...(locale === undefined ? [] : [{ about: 'locale' }]),
    ...(country === undefined ? [] : [{ about: 'country' }]),
  ];
  return rows.map((row) => ({ givenAt: rectifiedAt, ...row }));
}

function lineOfRectified({ removed = [], ...set }: SubjectRectifiedData, mask: Mask): string {
  const changed = (['locale', 'country'] as const).flatMap((name) => {
    const value = set[name];
    if (value === undefined) return [];
    if (value === null) return [`${name} = (none)`];
    return [`${name} = ${typeof value === 'string' ? mask(value) : JSON.stringify(value)}`];
  });
  return [...removed.map(({ kind }) => `${kind} removed`), ...changed].join(', ');
}
