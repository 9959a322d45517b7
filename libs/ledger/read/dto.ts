import { ENVIRONMENTS, type Environment } from '../../kernel/index.js';
import { ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';

const HASH = {
  maxLength: 44,
  pattern: '^[A-Za-z0-9+/]{43}=$',
  patternHint: '32 bytes in base64',
  example: 'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=',
} as const;
const SIZE_MAX = Number.MAX_SAFE_INTEGER;

export class LedgerProofQuery {
  @Text({ description: 'The `receiptId` of the record.', example: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S', maxLength: 40 })
  receipt!: string;
}

export class LedgerConsistencyQuery {
  @Whole({ description: 'How many leaves the older tree has.', min: 0, max: SIZE_MAX, example: 1 }) from!: number;
  @Whole({ description: 'How many leaves the newer tree has.', min: 0, max: SIZE_MAX, example: 2 }) to!: number;
}

export class LedgerOpeningDto {
  @Text({ description: '32 secret bytes in base64, which only you get.', ...HASH }) salt!: string;
  @Text({
    description:
      'The event as the log holds it, as the very text that is hashed. What is personal in it is sealed, and stays so.',
    example:
      '{"id":"0f9a1c1e-7c55-5ad5-9f62-6c3b0d7b8f11","stream":"subject-shop.live.sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T"}',
    maxLength: 1_100_000,
  })
  record!: string;
}

export class LedgerProofDto {
  @Whole({ description: 'Which leaf stands for the record, from 0.', min: 0, example: 5 }) leafIndex!: number;
  @Text({ description: 'SHA-256 over a zero byte and `entry`.', ...HASH }) leafHash!: string;
  @Text({ description: 'What stands in the tree: SHA-256 over the salt and the record.', ...HASH }) entry!: string;
  @Nested(() => LedgerOpeningDto, {
    description:
      'What makes `entry`. Null once the subject was erased: the salt is gone, and it cannot be found out any more what record the entry is of.',
    nullable: true,
  })
  opening!: LedgerOpeningDto | null;
  @Whole({ description: 'How many leaves the tree has.', min: 1, example: 7 }) treeSize!: number;
  @Text({ description: 'The root of the tree.', ...HASH }) rootHash!: string;
  @ListOf(() => 'string', {
    description: 'The inclusion proof of RFC 9162, from the sibling of the leaf to the child of the root, in base64.',
    example: ['vBoGQ7EuTS18d5GPROD095qDi2z57FtcKD4fTYhZnms='],
    maxItems: 64,
  })
  hashes!: string[];
  @Text({
    description: 'The same tree, signed: a checkpoint as `getLedgerCheckpoint` answers it.',
    example: 'urn:assent:ledger:shop:live\n7\n3bib5AOAnjJXUNPSY814kpwpQreUKjS3fhIslZSnTIw=\n',
    maxLength: 1000,
  })
  checkpoint!: string;
}

export class LedgerConsistencyDto {
  @Whole({ description: 'How many leaves the older tree has.', min: 0, example: 6 }) from!: number;
  @Whole({ description: 'How many leaves the newer tree has.', min: 0, example: 7 }) to!: number;
  @ListOf(() => 'string', {
    description: 'The consistency proof of RFC 9162, in base64; empty from 0 leaves and between equal trees.',
    example: ['DrxdNDf74tsVi58Sah0RjjCBgQMdCpSfje3t68VY72o='],
    maxItems: 128,
  })
  hashes!: string[];
}

export class VerifierKeyDto {
  @Text({
    description: 'The key as verifiers of signed notes take it (C2SP signed-note): name, hash of the key, key.',
    example: 'urn:assent:ledger:shop:live+5c2b8c0e+AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g',
    maxLength: 200,
  })
  verifierKey!: string;
  @Text({
    description: 'Its id in the key set.',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    maxLength: 60,
  })
  kid!: string;
  @Timestamp({ description: 'It signs from then on; null: from the beginning.', nullable: true }) signsFrom!:
    string | null;
  @Timestamp({ description: 'Since when it counts as compromised.', nullable: true }) revokedAt!: string | null;
}

export class LedgerVerifiersDto {
  @Text({ description: 'Site.', example: 'shop', maxLength: 40 }) site!: string;
  @OneOf(ENVIRONMENTS, { description: 'Environment.', example: 'live' }) env!: Environment;
  @Text({ description: 'First line of its checkpoints.', example: 'urn:assent:ledger:shop:live', maxLength: 100 })
  origin!: string;
  @Text({
    description: 'Where it is read without a key, as a path of this service; null where the site has not opened it.',
    example: '/v1/ledgers/shop/live',
    maxLength: 100,
    nullable: true,
  })
  prefix!: string | null;
  @ListOf(() => VerifierKeyDto, {
    description: 'All keys that its checkpoints were or will be signed by.',
    maxItems: 1000,
  })
  verifierKeys!: VerifierKeyDto[];
}

export class LedgerVerifiersListDto {
  @ListOf(() => LedgerVerifiersDto, { description: 'By site and environment.', maxItems: 100_000 })
  data!: LedgerVerifiersDto[];
}
