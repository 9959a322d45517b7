import { FreeObject, ListOf, OneOf, Text, Timestamp } from '../../http/contract/fields.js';

const BASE64URL_32 = '^[A-Za-z0-9_-]{43}$';

export class SigningKeyDto {
  @OneOf(['OKP'], { description: 'Key type (RFC 8037).', example: 'OKP' }) kty!: 'OKP';
  @OneOf(['Ed25519'], { description: 'Curve.', example: 'Ed25519' }) crv!: 'Ed25519';
  @Text({
    description: 'Public key, 32 bytes in base64url.',
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    maxLength: 43,
    pattern: BASE64URL_32,
    patternHint: '43 characters of base64url',
  })
  x!: string;
  @Text({
    description: 'RFC 7638 thumbprint of the key; the `kid` in the header of what it signed.',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    maxLength: 43,
    pattern: BASE64URL_32,
    patternHint: '43 characters of base64url',
  })
  kid!: string;
  @OneOf(['sig'], { description: 'For signatures.', example: 'sig' }) use!: 'sig';
  @Timestamp({
    description:
      'It signs what is recorded from then on; absent of the first key of an environment, which signs from the beginning.',
    optional: true,
  })
  signsFrom?: string;
  @Timestamp({
    description:
      'Since when the key counts as compromised; absent where it does not. A receipt that it signed proves nothing by itself any more.',
    optional: true,
  })
  revokedAt?: string;
}

export class KeySetDto {
  @ListOf(() => SigningKeyDto, {
    description:
      'The keys of both environments: those that sign, signed, and will sign. Keys are added, never removed.',
    maxItems: 100,
  })
  keys!: SigningKeyDto[];
}

/** As the service has it, or as Kantara's Consent Receipt 1.1. */
export const RECEIPT_FORMATS = ['assent', 'kantara'] as const;
export type ReceiptFormat = (typeof RECEIPT_FORMATS)[number];

export class ReceiptQuery {
  @Text({
    description: 'The `receiptToken` from the answer to the write: with it no key is needed.',
    example: 'rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4',
    maxLength: 64,
    optional: true,
  })
  token?: string;
  @OneOf(RECEIPT_FORMATS, {
    description: '`kantara`: as Kantara Consent Receipt 1.1; receipts of consent records only.',
    example: 'kantara',
    default: 'assent',
    optional: true,
  })
  format?: ReceiptFormat;
}

export class ReceiptDto {
  @FreeObject({
    description:
      'The receipt. Of a record: `schema`, `id`, `record`, `issuer`, `site`, `environment`, `subject` (a pseudonym), `controllers`, `jurisdiction`, `event`, `purposes` with version, legal basis and previous receipt, `preferences`, `vendors`, `gpc`, `notice` with the hash of the text, `display` where the page said how it was on the screen, `evidence`, `withdrawal`. Of an erasure: what `eraseSubject` answered.',
    maxKeys: 40,
    maxBytes: 200_000,
    depth: 6,
  })
  receipt!: object;
  @Text({
    description:
      'Compact JWS (EdDSA) over the canonical JSON (RFC 8785) of `receipt`; verify it with /.well-known/jwks.json.',
    example: 'eyJhbGciOiJFZERTQSJ9.e30.AAAA',
    maxLength: 300_000,
  })
  jws!: string;
  @Timestamp({
    description:
      'When the subject was erased; null while it was not. The receipt is the same before and after: what was personal in the record was never in it.',
    nullable: true,
  })
  subjectErasedAt!: string | null;
}
