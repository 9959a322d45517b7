/** A text is no framework string. Names the field that cannot be read. Thrown and caught within this folder. */
export class StringFault extends Error {
  override readonly name = 'StringFault';

  constructor(
    /** `string.core.VendorConsents`. */
    readonly path: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}
