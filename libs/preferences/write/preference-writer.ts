import type { FactoryProvider } from '@nestjs/common';
import type { Stream } from '../../streams/stream.js';
import type { TagCache } from '../../engines/cache/tag-cache.js';
import { SUBJECT_WRITERS, type SubjectWriter, type SubjectWriters } from '../../subjects/services.js';
import { PREFERENCE_STREAMS, preferenceFold, type FoldedByPreferences, type PreferenceState } from '../state.js';
import { PREFERENCE_TAGS } from '../streams.module.js';

/** Injection token of the SubjectWriter of this context. */
export const PREFERENCE_WRITER = Symbol('PreferenceWriter');
export type PreferenceWriter = SubjectWriter<PreferenceState>;

export const preferenceWriter: FactoryProvider<PreferenceWriter> = {
  provide: PREFERENCE_WRITER,
  inject: [SUBJECT_WRITERS, PREFERENCE_STREAMS, PREFERENCE_TAGS],
  useFactory: (writers: SubjectWriters, streams: Stream<PreferenceState, FoldedByPreferences>, tags: TagCache) =>
    writers.of({ streams, evolve: preferenceFold.evolve, tags }),
};
