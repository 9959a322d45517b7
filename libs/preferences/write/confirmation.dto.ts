import { Flag, ListOf, Nested, OneOf, Text, Timestamp } from '../../http/contract/fields.js';

const SUBJECT = {
  description: 'Whose preferences: `<kind>:<value>`.',
  example: 'email:ada@example.org',
  maxLength: 800,
} as const;
const CHANNEL = { example: 'email', maxLength: 60 } as const;
const FIELD = {
  description: 'A topic: its name beside `channel`, its key in the template, or its full path.',
  example: 'news',
  maxLength: 200,
} as const;
const LOCALE = {
  example: 'de-AT',
  maxLength: 35,
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$',
  patternHint: 'a language tag',
} as const;
const TOKEN_LENGTH = { maxLength: 2048 } as const;

export class WantedTopicDto {
  @Text(FIELD) field!: string;
  @Flag({ description: 'Always true: what is refused needs no confirmation.', example: true }) value!: boolean;
}

export class RequestConfirmationDto {
  @Text(SUBJECT) subject!: string;
  @ListOf(() => WantedTopicDto, {
    description: 'What is to be confirmed: topics of one channel.',
    minItems: 1,
    maxItems: 50,
  })
  values!: WantedTopicDto[];
  @Text({ description: 'Channel of the topics.', ...CHANNEL, optional: true }) channel?: string;
  @Text({
    description:
      'Where the browser goes after the click: https, on a domain of the site; in `test` also http on this machine.',
    example: 'https://demo.example/thanks',
    maxLength: 2048,
  })
  redirectUrl!: string;
  @Text({
    description:
      'The subject’s own e-mail address: then the service mails the link. Without it you pass on `confirmUrl`.',
    example: 'ada@example.org',
    maxLength: 320,
    optional: true,
  })
  to?: string;
  @Text({
    description: 'Language of mail and page. Default: the subject’s, then the site’s.',
    ...LOCALE,
    optional: true,
  })
  locale?: string;
}

export class ConfirmationTokenDto {
  @Text({
    description: 'The whole capability to confirm. Must never reach a page; kept nowhere.',
    example: 'cft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG8',
    maxLength: 60,
  })
  token!: string;
  @Text({
    description: 'The page for the recipient. Opening it changes nothing.',
    example: 'https://consent.example/v1/preferences/confirm?token=cft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG8',
    maxLength: 2048,
  })
  confirmUrl!: string;
  @Timestamp({ description: 'Until when the link is good.' }) expiresAt!: string;
}

export class ConfirmDto {
  @Text({
    description: 'The token of the link.',
    example: 'cft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG8',
    ...TOKEN_LENGTH,
  })
  token!: string;
}

export class ConfirmedValueDto {
  @Text({ description: 'Full path of the topic.', example: 'channels.email.topics.news', maxLength: 200 })
  field!: string;
  @Text({ description: 'Its channel.', ...CHANNEL }) channel!: string;
  @OneOf(['GRANTED'], {
    description: 'What the click made of it; what was chosen since stands in the preferences.',
    example: 'GRANTED',
  })
  state!: string;
}

export class UndoOfferDto {
  @Text({
    description: 'The whole capability to undo, for `POST /v1/preferences/undo`. Stored nowhere.',
    example: 'rft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4',
    ...TOKEN_LENGTH,
  })
  token!: string;
  @Timestamp({ description: 'Until when it can be undone.' }) expiresAt!: string;
}

export class ConfirmationDto {
  @OneOf(['CONFIRMED'], { description: 'What happened.', example: 'CONFIRMED' }) status!: string;
  @Timestamp({ description: 'When the link was first used.' }) confirmedAt!: string;
  @ListOf(() => ConfirmedValueDto, { description: 'What was confirmed.', maxItems: 50 }) values!: ConfirmedValueDto[];
  @Text({
    description: 'Where to go on to; null where the site does not have that domain any more.',
    example: 'https://demo.example/thanks',
    maxLength: 2048,
    nullable: true,
  })
  redirectUrl!: string | null;
  @Nested(() => UndoOfferDto, { description: 'How to take it back.' }) undo!: UndoOfferDto;
}

export class UnsubscribeQuery {
  @Text({
    description: 'The token of the link, unless only the body has it.',
    example: 'uft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4',
    ...TOKEN_LENGTH,
    optional: true,
  })
  token?: string;
}

export class UnsubscribeDto {
  @Text({
    description: 'The token of the link, unless the address has it.',
    example: 'uft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4',
    ...TOKEN_LENGTH,
    optional: true,
  })
  token?: string;
  @OneOf(['One-Click'], { description: 'What mail programs send (RFC 8058).', example: 'One-Click', optional: true })
  'List-Unsubscribe'?: string;
}

export class UnsubscribedDto {
  @OneOf(['UNSUBSCRIBED'], { description: 'What happened.', example: 'UNSUBSCRIBED' }) status!: string;
  @Text({ description: 'The channel.', ...CHANNEL }) channel!: string;
  @ListOf(() => 'string', {
    description: 'Full paths of the topics that are refused now.',
    example: ['channels.email.topics.news'],
    maxItems: 1000,
    of: { maxLength: 200 },
  })
  fields!: string[];
  @Nested(() => UndoOfferDto, {
    description: 'How to get back what was granted before; null where nothing was, or it is too late.',
    nullable: true,
  })
  undo!: UndoOfferDto | null;
}

export class UndoDto {
  @Text({
    description: 'The capability to undo.',
    example: 'rft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4',
    ...TOKEN_LENGTH,
  })
  token!: string;
}

export class UndoneValueDto {
  @Text({ description: 'Full path of the topic.', example: 'channels.email.topics.news', maxLength: 200 })
  field!: string;
  @Text({ description: 'Its channel.', ...CHANNEL }) channel!: string;
  @OneOf(['DENIED', 'GRANTED'], { description: 'What it is now.', example: 'DENIED' }) state!: string;
}

export class UndoneDto {
  @OneOf(['UNDONE'], { description: 'What happened.', example: 'UNDONE' }) status!: string;
  @OneOf(['CONFIRMATION', 'UNSUBSCRIPTION'], { description: 'What was taken back.', example: 'CONFIRMATION' })
  undid!: 'CONFIRMATION' | 'UNSUBSCRIPTION';
  @Timestamp({ description: 'When it was first undone.' }) undoneAt!: string;
  @ListOf(() => UndoneValueDto, { description: 'What came of it.', maxItems: 1000 }) values!: UndoneValueDto[];
}

export class UnsubscribeLinkRequestDto {
  @Text(SUBJECT) subject!: string;
  @Text({ description: 'Channel that the mail is sent by.', ...CHANNEL }) channel!: string;
  @ListOf(() => 'string', {
    description: 'Topics that the link ends. Default: all of the channel, those of later templates too.',
    example: ['news'],
    minItems: 1,
    maxItems: 10,
    of: { maxLength: 200 },
    optional: true,
  })
  topics?: string[];
  @Text({ description: 'Language of the page. Default: the subject’s, then the site’s.', ...LOCALE, optional: true })
  locale?: string;
}

export class UnsubscribeHeadersDto {
  @Text({
    description: 'RFC 2369.',
    example:
      '<https://consent.example/v1/preferences/unsubscribe?token=uft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4>',
    maxLength: 900,
  })
  'List-Unsubscribe'!: string;
  @Text({ description: 'RFC 8058.', example: 'List-Unsubscribe=One-Click', maxLength: 40 })
  'List-Unsubscribe-Post'!: string;
}

export class UnsubscribeLinkDto {
  @Text({
    description: 'The whole capability to unsubscribe; does not expire.',
    example: 'uft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4',
    ...TOKEN_LENGTH,
  })
  token!: string;
  @Text({
    description: 'Page with one button for people, one click for mail programs.',
    example:
      'https://consent.example/v1/preferences/unsubscribe?token=uft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG9rZW4',
    ...TOKEN_LENGTH,
  })
  unsubscribeUrl!: string;
  @Nested(() => UnsubscribeHeadersDto, { description: 'To be put on the mail; DKIM has to sign both.' })
  headers!: UnsubscribeHeadersDto;
}
