import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { preferenceFold, type PreferenceState } from '../state.js';
import type { PreferenceSnapshot } from './reader.js';

const FIND = {
  name: 'preference_state_of_subject',
  text: 'select revision, state from read.preference_state where subject_id = $1',
};

/** The read model: one row per subject that said something, a cache of the fold. */
@Injectable()
export class PreferenceRows {
  constructor(private readonly database: Database) {}

  /** The row of a subject; nothing said where there is none (yet). */
  async find(subjectId: string): Promise<PreferenceSnapshot> {
    const [row] = await this.database.query<{ revision: bigint; state: PreferenceState }>(FIND, [subjectId]);
    return row
      ? { subjectId, revision: Number(row.revision), state: row.state }
      : { subjectId, revision: -1, state: preferenceFold.initial() };
  }
}
