import { ENVIRONMENTS, type Environment } from '../../kernel/index.js';
import { Flag, ListOf, Nested, OneOf, Text, Timestamp } from '../../http/contract/fields.js';
import { KEY_STANDINGS } from '../state.js';

const REASON = { description: 'Why, for the record.', example: 'yearly', maxLength: 500, optional: true } as const;
const KID = {
  example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  maxLength: 43,
  pattern: '^[A-Za-z0-9_-]{43}$',
  patternHint: '43 characters of base64url',
};

export class RotateSigningKeyDto {
  @OneOf(ENVIRONMENTS, { description: 'Whose receipts it will sign.', example: 'live' }) env!: Environment;
  @Text(REASON) reason?: string;
}

export class RevokeSigningKeyDto {
  @Text(REASON) reason?: string;
}

export class AnnouncedKeyDto {
  @Text({ description: 'RFC 7638 thumbprint of the key, as in the key set.', ...KID }) kid!: string;
  @OneOf(ENVIRONMENTS, { description: 'Whose receipts it signs.', example: 'live' }) env!: Environment;
  @Timestamp({ description: 'Since when the key set has it.' }) announcedAt!: string;
  @Timestamp({ description: 'It signs the receipts of what is recorded from here on.' }) signsFrom!: string;
}

export class RevokedKeyDto {
  @Text({ description: 'RFC 7638 thumbprint of the key.', ...KID }) kid!: string;
  @OneOf(ENVIRONMENTS, { description: 'Whose receipts it signed.', example: 'live' }) env!: Environment;
  @Timestamp({ description: 'Since when it counts as compromised.' }) revokedAt!: string;
  @Nested(() => AnnouncedKeyDto, {
    description: 'The key that signs instead; null where another one did already.',
    nullable: true,
  })
  successor!: AnnouncedKeyDto | null;
}

export class ListedSigningKeyDto {
  @Text({ description: 'RFC 7638 thumbprint of the key, as in the key set.', ...KID }) kid!: string;
  @Text({
    description: 'Public half of the Ed25519 key as in the key set: 32 bytes, base64url.',
    ...KID,
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  })
  x!: string;
  @OneOf(ENVIRONMENTS, { description: 'Whose receipts it signs.', example: 'live' }) env!: Environment;
  @OneOf(KEY_STANDINGS, {
    description:
      '`PUBLISHED`: its time to sign has not come. `SIGNING`: it signs what is recorded now. `RETIRED`: another one does, and what it signed stays valid. `REVOKED`: compromised.',
    example: 'SIGNING',
  })
  state!: string;
  @Timestamp({
    description: 'Since when the key set has it; null of the first key, which was never announced.',
    nullable: true,
  })
  announcedAt!: string | null;
  @Timestamp({ description: 'It signs what is recorded from here on; null: from the beginning.', nullable: true })
  signsFrom!: string | null;
  @Timestamp({
    description: 'What is recorded from here on another key signs; null: none is announced.',
    nullable: true,
    example: null,
  })
  signsUntil!: string | null;
  @Timestamp({ description: 'Since when it counts as compromised.', nullable: true, example: null })
  revokedAt!: string | null;
}

export class SigningKeyListDto {
  @ListOf(() => ListedSigningKeyDto, {
    description: 'All keys of both environments, in the order in which they were made.',
    maxItems: 200,
  })
  data!: ListedSigningKeyDto[];
  @Text({ description: 'Always null: they come in one page.', example: null, maxLength: 1, nullable: true })
  nextCursor!: null;
  @Flag({ description: 'Always false.', example: false }) hasMore!: boolean;
}
