import { FreeObject, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { LOCALE, PURPOSE_KEY } from '../patterns.js';
import { NOTICE_KINDS, type Notice } from './notice.js';

/** A text that people were or could be shown. */
export class PublishedTextDto {
  @OneOf(['notice'], { description: 'What this is.', example: 'notice' }) object!: 'notice';
  @OneOf(NOTICE_KINDS, { description: 'Of what it is the text.', example: 'PURPOSE' }) kind!: Notice['kind'];
  @Text({ description: 'Key of a purpose; null of the others.', example: 'analytics', ...PURPOSE_KEY, nullable: true })
  key!: string | null;
  @Whole({ description: 'Version.', example: 1, min: 1 }) version!: number;
  @Text({ description: 'Language of the text.', example: 'en', ...LOCALE }) locale!: string;
  @Text({
    description: 'SHA-256 of `content` in its canonical form (RFC 8785).',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 71,
  })
  contentHash!: string;
  @FreeObject({
    description: 'The text, with all that is hashed with it.',
    example: { version: 1, locale: 'en', text: { name: 'Statistics', description: 'Counts visits.', legalText: '' } },
    maxKeys: 1000,
    maxBytes: 2_097_152,
    depth: 12,
  })
  content!: Notice['content'];
  @Timestamp({ description: 'From when this version was in force.' }) effectiveFrom!: string;
  @Timestamp({ description: 'When it was published.' }) publishedAt!: string;
}
