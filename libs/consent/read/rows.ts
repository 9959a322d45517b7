import { Injectable } from '@nestjs/common';
import { StateRows } from '../../following/projections/state-rows.js';
import { Database } from '../../engines/database/database.js';
import { consentFold, type ConsentState } from '../state.js';
import { consentStateProjection } from './projection.js';

/** The read model of consent. */
@Injectable()
export class ConsentRows extends StateRows<ConsentState> {
  constructor(database: Database) {
    super(database, consentStateProjection, consentFold.initial);
  }
}
