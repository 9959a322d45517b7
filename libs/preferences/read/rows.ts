import { Injectable } from '@nestjs/common';
import { StateRows } from '../../following/projections/state-rows.js';
import { Database } from '../../engines/database/database.js';
import { preferenceFold, type PreferenceState } from '../state.js';
import { preferenceStateProjection } from './projection.js';

/** The read model of preferences: a row for each subject that said something. */
@Injectable()
export class PreferenceRows extends StateRows<PreferenceState> {
  constructor(database: Database) {
    super(database, preferenceStateProjection, preferenceFold.initial);
  }
}
