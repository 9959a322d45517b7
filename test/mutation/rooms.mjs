// What `npm run mutation` measures: the files where decisions are made, and the tests that have to notice a fault there.
// Each mutant runs those of its room's tests that reach it. So these are quick ones, and laws only where units do not say it.

/**
 * `files`: below libs/, what is mutated. `database`: the specs ask a Postgres.
 * @typedef {{ files: string[], specs: string[], database?: true }} Room
 */

/** @type {Record<string, Room>} */
export const ROOMS = {
  kernel: {
    files: [
      'kernel/anonymous.ts',
      'kernel/canonical-json.ts',
      'kernel/decider.ts',
      'kernel/field-cipher.ts',
      'kernel/ids.ts',
      'kernel/instant.ts',
      'kernel/nearest.ts',
      'kernel/reference.ts',
      'kernel/refusal.ts',
      'kernel/scope.ts',
    ],
    specs: [
      'libs/kernel/anonymous.spec.ts',
      'libs/kernel/field-cipher.spec.ts',
      'libs/kernel/kernel.spec.ts',
      'libs/kernel/nearest.spec.ts',
      'libs/kernel/refusal.spec.ts',
    ],
  },
  consent: {
    files: [
      'consent/asserted.ts',
      'consent/circumstances.ts',
      'consent/decide.ts',
      'consent/explanation.ts',
      'consent/merge.ts',
      'consent/permission.ts',
      'consent/purposes.ts',
      'consent/state.ts',
      'consent/view.ts',
    ],
    specs: [
      'libs/consent/asserted.spec.ts',
      'libs/consent/decide.spec.ts',
      'libs/consent/merge.spec.ts',
      'libs/consent/state.spec.ts',
      'libs/consent/view.spec.ts',
      'test/laws/consent.spec.ts',
      'test/laws/merge.spec.ts',
    ],
  },
  preferences: {
    files: [
      'preferences/merge.ts',
      'preferences/topics.ts',
      'preferences/state.ts',
      'preferences/view.ts',
      'preferences/decide-unsubscribe.ts',
      'preferences/link-standing.ts',
      'preferences/decide.ts',
      'preferences/redirect-url.ts',
      'preferences/decide-undo.ts',
      'preferences/undo-standing.ts',
      'preferences/wish-by-link.ts',
    ],
    specs: [
      'libs/preferences/decide.spec.ts',
      'libs/preferences/link-standing.spec.ts',
      'libs/preferences/merge.spec.ts',
      'libs/preferences/redirect-url.spec.ts',
      'libs/preferences/state.spec.ts',
      'libs/preferences/topics.spec.ts',
      'libs/preferences/view.spec.ts',
      'test/laws/undo.spec.ts',
    ],
  },
  subjects: {
    files: [
      'subjects/decide.ts',
      'subjects/follow.ts',
      'subjects/parts.ts',
      'subjects/standing.ts',
      'subjects/state.ts',
      'subjects/view.ts',
    ],
    specs: [
      'libs/subjects/decide.spec.ts',
      'libs/subjects/follow.spec.ts',
      'libs/subjects/parts.spec.ts',
      'libs/subjects/state.spec.ts',
      'libs/subjects/view.spec.ts',
      'test/laws/merge.spec.ts',
    ],
  },
  catalogue: {
    files: [
      'catalogue/decide.ts',
      'catalogue/decide-document.ts',
      'catalogue/state.ts',
      'catalogue/template-contradictions.ts',
      'catalogue/template-values.ts',
      'catalogue/view.ts',
    ],
    specs: ['libs/catalogue/decide.spec.ts', 'libs/catalogue/state.spec.ts', 'libs/catalogue/template.spec.ts'],
  },
  policy: {
    files: [
      'policy/local-date.ts',
      'policy/look-up.ts',
      'policy/asked.ts',
      'policy/refusals.ts',
      'policy/timeline.ts',
      'policy/view.ts',
    ],
    specs: ['libs/policy/asked.spec.ts', 'libs/policy/local-date.spec.ts', 'libs/policy/rules.spec.ts'],
  },
  access: {
    files: ['access/decide.ts', 'access/guard.ts', 'access/origin.ts', 'access/state.ts'],
    specs: [
      'libs/access/brand.spec.ts',
      'libs/access/decide.spec.ts',
      'libs/access/guard-charges.spec.ts',
      'libs/access/guard.spec.ts',
    ],
  },
  'event-log': {
    files: [
      'event-log/codec.ts',
      'event-log/field-paths.ts',
      'event-log/folding.ts',
      'event-log/key-search.ts',
      'event-log/stream-fold.ts',
      'event-log/stream-reading.ts',
      'event-log/stream.ts',
    ],
    specs: [
      'libs/event-log/codec.spec.ts',
      'libs/event-log/field-paths.spec.ts',
      'libs/event-log/folding.spec.ts',
      'libs/event-log/joined-history.spec.ts',
      'libs/event-log/key-search.spec.ts',
      'libs/event-log/replay-cost.spec.ts',
      'libs/event-log/stream-appending.spec.ts',
      'libs/event-log/stream-reading.spec.ts',
      'libs/event-log/stream-unknown.spec.ts',
      'libs/event-log/stream.spec.ts',
    ],
  },
  idempotency: {
    files: [
      'platform/idempotency/item-keys.ts',
      'platform/idempotency/key-index.ts',
      'platform/idempotency/key-scope.ts',
      'platform/idempotency/once.ts',
      'platform/idempotency/reservations.ts',
    ],
    specs: [
      'libs/platform/idempotency/key-index.spec.ts',
      'libs/platform/idempotency/once.spec.ts',
      'libs/platform/idempotency/reservations.spec.ts',
    ],
    database: true,
  },
};
