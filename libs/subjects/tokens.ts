import type { ErasedSubjects } from '../context/define-context.js';
import type { TagCache } from '../engines/cache/tag-cache.js';

export { WHOLE_WRITER } from './writer.js';

/** Injection token of the subject streams with everything that any context folds: what a merge is decided on. */
export const WHOLE_STREAMS = Symbol('WholeStreams');
/** Injection token of the same, with a Resolver and a MergeCompletion, where an event that cannot be read is passed. */
export const ERASING = Symbol('Erasing');
/** Injection token of the list of SubjectParts: the contexts that know something of a subject. */
export const SUBJECT_PARTS = Symbol('SubjectParts');
/** Injection token of the subject streams as this context alone folds them. */
export const SUBJECT_STREAMS = Symbol('SubjectStreams');
/** Injection token of the list of what else forgets erased subjects (ErasedToo): waiting mails, deliveries. */
export const ERASED_TOO = Symbol('ErasedToo');
/** Idempotent. Called before the keys of the subjects are destroyed. */
export type ErasedToo = (erased: ErasedSubjects) => Promise<void>;
/** Injection token of the fold behind them. */
export const WHOLE_FOLD = Symbol('WholeFold');
/** Injection token of the public address that receipts are issued under. */
export const ISSUER = Symbol('Issuer');
/** Injection token of the SubjectTags. */
export const SUBJECT_TAGS = Symbol('SubjectTags');
/** The ETags that any context keeps of a subject. */
export type SubjectTags = Pick<TagCache, 'drop'>;
