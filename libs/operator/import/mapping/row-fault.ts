/** Why one row becomes no record. */
export class RowFault extends Error {
  constructor(
    /** Counted together in the report, such as `date_invalid`. */
    readonly code: string,
    /** What is wrong and what to do, for the file of rejected rows. */
    message: string,
  ) {
    super(message);
    this.name = 'RowFault';
  }
}
