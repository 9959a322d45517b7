export * from './events.js';
export { firstSight } from './decide.js';
export { arrival, follow, followToRead, seek, type Step } from './follow.js';
export {
  carried,
  conflictsOf,
  definePart,
  foldWithout,
  wholeFold,
  type SubjectPart,
  type WholeState,
} from './parts.js';
export { provesSubject } from './proof.js';
export { subjectRefusals } from './refusals.js';
export { evolveStanding, familyOf, isClosed, ON_ITS_OWN, standingOf, type Standed, type Standing } from './standing.js';
export { firstLocale, identifiersOf, saysIdentifiers, type ShownIdentifier } from './shown/shown-identifiers.js';
export { Snapshots, type Snapshot } from './snapshots.js';
export { partStreamFold, subjectStreamFold, type SubjectFold } from './stream-fold.js';
