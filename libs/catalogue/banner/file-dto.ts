import { COUNTRY } from '../../http/country.js';
import { Flag, ListOf, MapOf, Nested, OneOf, Text, Timestamp, Whole } from '../../http/contract/fields.js';
import { LOCALE, PURPOSE_KEY, TEMPLATE_KEY, WEB_ADDRESS } from '../patterns.js';
import { TemplateChangeNoteDto } from '../template/template-dto.js';
import { texts } from '../texts/texts-field.js';
import {
  BANNER_ACTIONS,
  DISMISSALS,
  EMPHASES,
  LAYOUTS,
  POSITIONS,
  REOPENINGS,
  type BannerButton,
  type BannerDefinition,
} from './definition.js';

const COLOUR = {
  maxLength: 7,
  pattern: '^#[0-9a-f]{6}$',
  patternHint: 'a colour such as #1a2b3c, in lower case',
  optional: true,
} as const;
const addresses = (what: string): PropertyDecorator =>
  MapOf(() => 'string', {
    description: `Address of the ${what}, by language.`,
    example: { en: 'https://shop.example/privacy' },
    maxKeys: 100,
    keys: LOCALE,
    of: WEB_ADDRESS,
    optional: true,
  });

export class BannerButtonDto implements BannerButton {
  @OneOf(BANNER_ACTIONS, { description: 'What a click does.', example: 'REJECT_ALL' }) action!: BannerButton['action'];
  @Whole({ description: '1: seen at once. 2: the choices behind it.', example: 1, min: 1, max: 2 }) layer!: number;
  @OneOf(EMPHASES, { description: 'How much it stands out.', example: 'PRIMARY' }) emphasis!: BannerButton['emphasis'];
}

export class BannerPresentationFileDto {
  @texts('Title', 'Your privacy', 200) title!: Record<string, string>;
  @texts('Text', 'May we count visits and show advertising?', 4000) body!: Record<string, string>;
  @ListOf(() => BannerButtonDto, {
    description:
      'Buttons, in their order. Default: ACCEPT_ALL and REJECT_ALL alike and CUSTOMIZE on the first layer, SAVE on the second; of opt-out DO_NOT_SELL and ACKNOWLEDGE; of a mere notice ACKNOWLEDGE.',
    minItems: 1,
    maxItems: 12,
    optional: true,
  })
  buttons?: BannerButtonDto[];
}

export class BannerPresentationsFileDto {
  @Nested(() => BannerPresentationFileDto, { description: 'Where nothing may happen without asking.' })
  optIn!: BannerPresentationFileDto;
  @Nested(() => BannerPresentationFileDto, {
    description: 'Where people can object. Default: that for opt-in.',
    optional: true,
  })
  optOut?: BannerPresentationFileDto;
  @Nested(() => BannerPresentationFileDto, {
    description: 'Where the law only demands a notice. Default: that for opt-in.',
    optional: true,
  })
  noticeOnly?: BannerPresentationFileDto;
}

export class BannerLabelsFileDto {
  @texts('ACCEPT_ALL', 'Accept all', 80) acceptAll!: Record<string, string>;
  @texts('REJECT_ALL', 'Reject all', 80) rejectAll!: Record<string, string>;
  @texts('CUSTOMIZE', 'Choose', 80, true) customize?: Record<string, string>;
  @texts('SAVE', 'Save my choices', 80, true) save?: Record<string, string>;
  @texts('ACKNOWLEDGE', 'Understood', 80, true) acknowledge?: Record<string, string>;
  @texts('DO_NOT_SELL', 'Do not sell or share my data', 80, true) doNotSell?: Record<string, string>;
  @texts('Closing the banner', 'Close', 80, true) close?: Record<string, string>;
  @texts('Coming back to the choices', 'Privacy choices', 80, true) privacyChoices?: Record<string, string>;
}

export class BannerLinksFileDto {
  @addresses('privacy policy') privacyPolicy?: Record<string, string>;
  @addresses('imprint') imprint?: Record<string, string>;
}

export class BannerBehaviourFileDto {
  @OneOf(DISMISSALS, {
    description: 'What closing without a choice counts as: a refusal, or nothing. It never agrees.',
    example: 'REJECT',
    default: 'REJECT',
    optional: true,
  })
  dismiss?: BannerDefinition['behaviour']['dismiss'];
  @Flag({ description: 'Whether the page behind stands still.', example: false, default: false, optional: true })
  scrollLock?: boolean;
  @Whole({
    description: 'After how many days a visitor is asked again. The policy of a place can make it longer.',
    example: 180,
    min: 1,
    max: 3650,
    optional: true,
  })
  resurfaceAfterDays?: number;
  @OneOf(REOPENINGS, {
    description: 'How a visitor returns to the choices.',
    example: 'LINK',
    default: 'LINK',
    optional: true,
  })
  reopen?: BannerDefinition['behaviour']['reopen'];
}

export class ColoursDto {
  @Text({ description: 'Ground.', example: '#ffffff', ...COLOUR }) background?: string;
  @Text({ description: 'Text on the ground.', example: '#14171b', ...COLOUR }) text?: string;
  @Text({ description: 'Ground of primary buttons.', example: '#1a5fb4', ...COLOUR }) primary?: string;
  @Text({ description: 'Text on primary buttons.', example: '#ffffff', ...COLOUR }) onPrimary?: string;
  @Text({ description: 'Ground of secondary buttons.', example: '#e6e6e6', ...COLOUR }) secondary?: string;
  @Text({ description: 'Text on secondary buttons.', example: '#14171b', ...COLOUR }) onSecondary?: string;
  @Text({ description: 'Border.', example: '#9a9996', ...COLOUR }) border?: string;
  @Text({ description: 'Links.', example: '#1a5fb4', ...COLOUR }) link?: string;
}

export class BannerThemeFileDto {
  @Nested(() => ColoursDto, { description: 'Colours.', optional: true }) light?: ColoursDto;
  @Nested(() => ColoursDto, { description: 'Colours of the dark scheme.', optional: true }) dark?: ColoursDto;
  @Whole({ description: 'Radius of corners, in pixels.', example: 8, max: 64, optional: true }) radiusPx?: number;
  @Text({
    description: 'Fonts, as in CSS. Default: those of the page.',
    example: 'Inter, sans-serif',
    maxLength: 200,
    pattern: '^[A-Za-z0-9 ,\'"_-]+$',
    patternHint: 'names of fonts with commas between them',
    optional: true,
  })
  fontFamily?: string;
}

export class BannerGoogleFileDto {
  @Whole({
    description: 'How long Google’s tags wait for a choice, in milliseconds.',
    example: 500,
    max: 10_000,
    default: 500,
    optional: true,
  })
  waitForUpdateMs?: number;
}

export class BannerTcfFileDto {
  @Text({ description: 'Country whose law the publisher is under, ISO 3166-1.', example: 'DE', ...COUNTRY })
  publisherCountry!: string;
  @ListOf(() => 'string', {
    description: 'Keys of the vendors in vendors.yaml that the banner discloses. Default: all.',
    example: ['demo_statistics'],
    maxItems: 2000,
    of: TEMPLATE_KEY,
    optional: true,
  })
  vendors?: string[];
}

/** `banner.yaml`. Every text is there in every language of the banner. */
export class BannerFileDto {
  @Text({ description: 'Language that is served where no wish can be met.', example: 'en', ...LOCALE })
  defaultLocale!: string;
  @OneOf(LAYOUTS, { description: 'Its form.', example: 'BOX', default: 'BOX', optional: true })
  layout?: BannerDefinition['layout'];
  @OneOf(POSITIONS, { description: 'Where it stands.', example: 'BOTTOM', default: 'BOTTOM', optional: true })
  position?: BannerDefinition['position'];
  @Nested(() => BannerPresentationsFileDto, { description: 'What is shown, by the model of the policy.' })
  presentations!: BannerPresentationsFileDto;
  @Nested(() => BannerLabelsFileDto, { description: 'Short texts, those of the buttons first.' })
  labels!: BannerLabelsFileDto;
  @ListOf(() => 'string', {
    description:
      'Keys of the purposes that are shown, in this order. Default: all in force but those of the category COMMUNICATION, by key.',
    example: ['analytics'],
    minItems: 1,
    maxItems: 200,
    of: PURPOSE_KEY,
    optional: true,
  })
  purposeKeys?: string[];
  @Nested(() => BannerLinksFileDto, { description: 'Where more can be read.', optional: true })
  links?: BannerLinksFileDto;
  @Nested(() => BannerBehaviourFileDto, { description: 'How it behaves.', optional: true })
  behaviour?: BannerBehaviourFileDto;
  @Nested(() => BannerThemeFileDto, { description: 'How it looks.', optional: true }) theme?: BannerThemeFileDto;
  @Nested(() => BannerGoogleFileDto, { description: 'Google consent mode.', optional: true })
  google?: BannerGoogleFileDto;
  @Nested(() => BannerTcfFileDto, { description: 'IAB TCF. Default: it is not used.', optional: true })
  tcf?: BannerTcfFileDto;
  @Nested(() => TemplateChangeNoteDto, { description: 'About the version this file would become.', optional: true })
  change?: TemplateChangeNoteDto;
  @Timestamp({ description: 'From when the new version is in force. Default: at once.', optional: true })
  effectiveFrom?: string;
}
