import { Text, Timestamp, Whole } from '../../http/contract/fields.js';

const TOKEN = {
  description: 'The token of the link.',
  example: 'dat_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vIHRvaw',
  maxLength: 100,
} as const;

export class ArchiveLinkQuery {
  @Text(TOKEN) token!: string;
}

export class FetchArchiveDto {
  @Text(TOKEN) token!: string;
}

/** How long a link is good unless its maker says otherwise, in hours. */
export const LINK_HOURS = 72;

export class LinkArchiveDto {
  @Whole({
    description: `Hours until the link expires; ${LINK_HOURS} unless given.`,
    example: 24,
    min: 1,
    max: 168,
    optional: true,
  })
  expiresInHours?: number;
}

export class ArchiveLinkDto {
  @Text({
    description: 'For the requester alone: its holder can fetch the archive.',
    example: `https://consent.example/v1/archive?token=${TOKEN.example}`,
    maxLength: 2048,
  })
  url!: string;
  @Timestamp({ description: 'Until when.', example: '2026-11-24T12:00:00.000Z' }) expiresAt!: string;
  @Text({ description: 'SHA-256 of the archive, as hex, as the log has it.', example: 'ab'.repeat(32), maxLength: 64 })
  sha256!: string;
  @Whole({ description: 'Its size in bytes.', example: 20480 }) bytes!: number;
}
