/** Why a text is no string of a framework, with the field that cannot be read. Thrown and caught within this folder. */
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
