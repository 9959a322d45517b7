import { MapOf, Nested, Numeric, OneOf, Text, Whole } from '../../http/contract/fields.js';
import { AFTER_CONFIRMING, type ByLanguage } from '../sites/brand.js';
import { LOGO_BYTES_MAX, LOGO_MEDIA_TYPES, LOGO_PIXELS } from '../sites/logo.js';

const byLanguage = (description: string, example: string, maxLength: number) => ({
  description: `${description} By language tag: the page takes the entry that fits its language, else that of the site's default language, else the first.`,
  example: { en: example },
  maxKeys: 100,
  keys: { maxLength: 35, pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$', patternHint: 'a language tag' },
  of: { maxLength },
});
const COLOUR = {
  maxLength: 7,
  pattern: '^#[0-9a-fA-F]{6}$',
  patternHint: 'a colour such as #0b57b0',
  nullable: true,
} as const;
const DISPLAY_NAME = byLanguage('Name of the shop on its pages and in its mails.', 'Shop Example', 200);
const IMPRINT = byLanguage(
  'Https address of the page that says who runs the shop.',
  'https://shop.example/imprint',
  2048,
);
const PRIVACY = byLanguage('Https address of the privacy policy.', 'https://shop.example/privacy', 2048);
const ACCENT = {
  ...COLOUR,
  description:
    'Colour of the button and of the line above the page. Refused where its contrast to the white page is below 3:1 (WCAG 2.2), with the nearest shade that has it.',
  example: '#0b57b0',
};
const ACCENT_DARK = {
  ...COLOUR,
  description: 'The same on the dark page, checked against that; without it accentColor has to be seen on both.',
  example: '#8ec0ff',
};

const AFTER = {
  description:
    'Where the button of the confirmation page leads. REDIRECT: to `redirectUrl`. PAGE: to a page of the service that says so, leads on to `redirectUrl` and offers to undo it. Default REDIRECT.',
  example: 'REDIRECT',
} as const;

export class LogoFileDto {
  @Text({
    description: `The picture, base64: PNG, JPEG or WebP, at most ${LOGO_BYTES_MAX} bytes, ${LOGO_PIXELS.min} to ${LOGO_PIXELS.max} pixels wide and high, not moving. No SVG, which can hold scripts. It stands on white, in the dark too.`,
    example:
      'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAAA1BMVEULV7ArJiktAAAADElEQVR4nGNgIA0AAAAwAAFiEwLZAAAAAElFTkSuQmCC',
    maxLength: 240_000,
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    patternHint: 'base64 with its padding',
  })
  data!: string;
}

/** A field that is left out keeps its value. Null resets it. */
export class ChangeBrandDto {
  @MapOf(() => 'string', { ...DISPLAY_NAME, optional: true, nullable: true }) displayName?: ByLanguage | null;
  @Nested(() => LogoFileDto, { description: 'Logo above the page.', optional: true, nullable: true })
  logo?: LogoFileDto | null;
  @Text({ ...ACCENT, optional: true }) accentColor?: string | null;
  @Text({ ...ACCENT_DARK, optional: true }) accentColorDark?: string | null;
  @OneOf(AFTER_CONFIRMING, { ...AFTER, optional: true, nullable: true })
  afterConfirming?: (typeof AFTER_CONFIRMING)[number] | null;
  @MapOf(() => 'string', { ...IMPRINT, optional: true, nullable: true }) imprintUrl?: ByLanguage | null;
  @MapOf(() => 'string', { ...PRIVACY, optional: true, nullable: true }) privacyUrl?: ByLanguage | null;
}

export class LogoDto {
  @OneOf(LOGO_MEDIA_TYPES, { description: 'What it is, by its bytes.', example: 'image/png' }) mediaType!: string;
  @Whole({ description: 'Pixels.', example: 480, ...LOGO_PIXELS }) width!: number;
  @Whole({ description: 'Pixels.', example: 120, ...LOGO_PIXELS }) height!: number;
  @Whole({ description: 'Size.', example: 5120, max: LOGO_BYTES_MAX }) bytes!: number;
  @Text({ description: 'SHA-256 of the bytes, hex.', example: '9f86d081…', maxLength: 64 }) sha256!: string;
}

const RATIO = { min: 1, max: 21 };
export class MeasuredColorDto {
  @Text({ description: 'The colour.', example: '#0b57b0', maxLength: 7 }) color!: string;
  @Text({ description: 'White or black: what stands on it.', example: '#ffffff', maxLength: 7 }) textColor!: string;
  @Numeric({ description: 'Contrast of the two, to 1.', example: 6.98, ...RATIO }) text!: number;
  @Numeric({ description: 'Contrast of the colour to the page, to 1.', example: 6.98, ...RATIO }) page!: number;
}

export class MeasuredColorsDto {
  @Nested(() => MeasuredColorDto, { description: 'On the light page.' }) light!: MeasuredColorDto;
  @Nested(() => MeasuredColorDto, { description: 'On the dark page.' }) dark!: MeasuredColorDto;
}

export class BrandDto {
  @Text({ description: 'Name of the site.', example: 'shop', maxLength: 40 }) site!: string;
  @MapOf(() => 'string', DISPLAY_NAME) displayName!: ByLanguage;
  @Nested(() => LogoDto, { description: 'Logo above the page; null: there is none.', nullable: true })
  logo!: LogoDto | null;
  @Text({ ...ACCENT, description: 'Colour of button and line; null: that of the service.' }) accentColor!:
    string | null;
  @Text({ ...ACCENT_DARK, description: 'The same on the dark page; null: accentColor.' }) accentColorDark!:
    string | null;
  @Nested(() => MeasuredColorsDto, { description: 'Contrasts, measured; null without a colour.', nullable: true })
  contrast!: MeasuredColorsDto | null;
  @OneOf(AFTER_CONFIRMING, AFTER) afterConfirming!: (typeof AFTER_CONFIRMING)[number];
  @MapOf(() => 'string', IMPRINT) imprintUrl!: ByLanguage;
  @MapOf(() => 'string', PRIVACY) privacyUrl!: ByLanguage;
}
