import { ListOf, OneOf, Text } from '../../platform/http/fields.js';

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
}

export class KeySetDto {
  @ListOf(() => SigningKeyDto, {
    description: 'One key per environment. Keys are added, never removed.',
    maxItems: 100,
  })
  keys!: SigningKeyDto[];
}
