import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { consentFold, type ConsentState } from '../state.js';
import type { ConsentSnapshot } from './reader.js';

const FIND = {
  name: 'consent_state_of_subject',
  text: 'select revision, state from read.consent_state where subject_id = $1',
};

/** The read model: one row per subject, a cache of the fold. */
@Injectable()
export class ConsentRows {
  constructor(private readonly database: Database) {}

  /** The row of a subject; nothing recorded where there is none (yet). */
  async find(subjectId: string): Promise<ConsentSnapshot> {
    const [row] = await this.database.query<{ revision: bigint; state: ConsentState }>(FIND, [subjectId]);
    return row
      ? { subjectId, revision: Number(row.revision), state: row.state }
      : { subjectId, revision: -1, state: consentFold.initial() };
  }
}
