import { COUNTRY, REGION } from '../http/country.js';
import { Flag, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../http/contract/fields.js';
import {
  ACTOR_TYPES,
  DISPLAY_CHECKS,
  DISPLAY_VERSION,
  JURISDICTION_SOURCES,
  METHODS,
  SURFACES,
  VENDOR_FRAMEWORKS,
  VIEWPORTS,
  type Actor,
  type Collection,
  type Display,
  type Jurisdiction,
  type VendorDecision,
} from './events.js';

export type { ImpactDto, SimulationDto } from './simulation/simulation-dto.js';

/** Only web pages: an operator who reads histories may follow the address, so schemes such as `javascript:` are refused. */
const WEB_ADDRESS = '^[Hh][Tt][Tt][Pp][Ss]?://';
const WEB_ADDRESS_OR_URN = `${WEB_ADDRESS}|^[Uu][Rr][Nn]:[A-Za-z0-9][A-Za-z0-9-]{0,31}:.`;
const LOCALE = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$';

/** Too short, and too much of numbers, to hold what a person is known by. */
const NUMBER = '[0-9]{1,5}([.][0-9]{1,2})?';
const MEASURE = `(${NUMBER}(x${NUMBER})?|[a-z]{2,3})`;

export class JurisdictionDto {
  @Text({ description: 'Country whose law was applied, ISO 3166-1 alpha-2.', example: 'DE', ...COUNTRY })
  country!: string;
  @Text({ description: 'Region, ISO 3166-2.', example: 'US-CA', ...REGION, optional: true })
  region?: string;
  @OneOf(JURISDICTION_SOURCES, { description: 'How the place is known.', example: 'DETECTED' })
  source!: Jurisdiction['source'];
}

export class DisplayCheckDto {
  @OneOf(DISPLAY_CHECKS, {
    description:
      'What was looked at. EQUAL_SIZE, EQUAL_WEIGHT, EQUAL_CONTRAST: refusing beside accepting (EDPB Cookie Banner Taskforce, 17–18; CNIL 2020-092, 34); left out where nothing can be accepted or refused. TEXT_CONTRAST: every text has 4.5:1 (WCAG 2.2, 1.4.3). TARGET_SIZE: every control has 24 px (2.5.8). NOTHING_TICKED: where consent is asked for (CJEU C-673/17). LANGUAGE: of the banner and of the page.',
    example: 'EQUAL_SIZE',
  })
  check!: Display['checks'][number]['check'];
  @Flag({ description: 'Whether it was as it should be.', example: true }) passed!: boolean;
  @Text({
    description:
      'What was measured: a number, a size in CSS pixels or a language without its region, and where two things are compared accepting before refusing, banner before page.',
    example: '178x44 / 178x44',
    maxLength: 37,
    pattern: `^${MEASURE}( / ${MEASURE})?$`,
    patternHint: 'a number, a size such as 178x44 or a language such as de, or two of them with " / " between',
  })
  measured!: string;
}

export class DisplayDto {
  @Whole({ description: 'By which rules it was judged.', example: 1, min: 1, max: DISPLAY_VERSION }) version!: number;
  @ListOf(() => DisplayCheckDto, {
    description: 'Each check at most once.',
    minItems: 1,
    maxItems: DISPLAY_CHECKS.length,
  })
  checks!: Display['checks'];
  @OneOf(VIEWPORTS, {
    description: 'Width of the window: S below 600 CSS px, M below 1024, L from there.',
    example: 'L',
  })
  viewport!: Display['viewport'];
}

export class CollectionDto {
  @OneOf(METHODS, { description: 'By which act the decision was expressed.', example: 'SAVE_CHOICES' })
  method!: Collection['method'];
  @OneOf(SURFACES, { description: 'Where it was expressed.', example: 'BANNER' }) surface!: Collection['surface'];
  @Text({
    description:
      'Page on which it happened. Only origin and path are kept; query and fragment are dropped before anything is stored.',
    example: 'https://shop.example/checkout',
    maxLength: 2048,
    format: 'uri',
    pattern: WEB_ADDRESS,
    patternHint: 'an http or https address',
    optional: true,
  })
  url?: string;
  @Text({
    description: 'Language in which the purpose was shown, BCP 47. Decides which text the record names as proof.',
    example: 'de',
    maxLength: 35,
    pattern: LOCALE,
    patternHint: 'a language tag',
    optional: true,
  })
  locale?: string;
  @Whole({ description: 'Version of the banner that was shown.', example: 3, min: 1, optional: true })
  bannerVersion?: number;
  @Text({
    description: 'Content hash of the notice that was shown.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 71,
    pattern: '^sha256:[0-9a-f]{64}$',
    patternHint: 'sha256: and 64 hex digits',
    optional: true,
  })
  noticeHash?: string;
  @Nested(() => DisplayDto, {
    description:
      'What was on the screen, as the element that showed it judged itself before the choice counted. Kept in record and receipt as it came: a claim of the page, not a finding of the service.',
    optional: true,
  })
  display?: Display;
  @Text({
    description:
      'The signed statement of what was shown, as GET /v1/banner answered it. It is checked, and what it says is kept as `presentation`: the version and the language of the purpose are then those that were shown.',
    example: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
    maxLength: 16_384,
    optional: true,
  })
  presentationToken?: string;
}

export class SignalsDto {
  @Flag({
    description: 'Global Privacy Control. `Sec-GPC: 1` on a request with a public key counts as true.',
    example: true,
    optional: true,
  })
  gpc?: boolean;
  @Flag({ description: 'Do Not Track; kept as evidence only.', example: false, optional: true }) dnt?: boolean;
}

export class ActorDto {
  @OneOf(ACTOR_TYPES, { description: 'Who decided.', example: 'GUARDIAN' }) type!: Actor['type'];
  @Text({
    description: 'Who that is, in your terms. Personal: encrypted, gone after erasure.',
    example: 'agent-17',
    maxLength: 255,
    optional: true,
  })
  id?: string;
  @Text({
    description: 'Relationship to the subject. Personal: encrypted.',
    example: 'parent',
    maxLength: 100,
    optional: true,
  })
  relationship?: string;
}

export class VendorDto {
  @OneOf(VENDOR_FRAMEWORKS, { description: 'Whose vendor list the id is from.', example: 'TCF' })
  framework!: VendorDecision['framework'];
  @Whole({ description: 'Vendor id in that list.', example: 755, min: 1, max: 65_535 }) id!: number;
  @OneOf(['GRANTED', 'DENIED'], { description: 'The choice for this vendor.', example: 'DENIED' })
  decision!: VendorDecision['decision'];
}

export class EvidenceDto {
  @Text({
    description: 'What it is.',
    example: 'SCREENSHOT',
    maxLength: 40,
    pattern: '^[A-Z][A-Z0-9_]*$',
    patternHint: 'an upper-case name',
    enumHint: ['SCREENSHOT', 'RECORDING', 'DOCUMENT', 'FORM_SNAPSHOT'],
  })
  type!: string;
  @Text({
    description: 'SHA-256 of the document, hex.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 64,
    pattern: '^[0-9a-f]{64}$',
    patternHint: '64 lower-case hex digits',
  })
  sha256!: string;
  @Text({
    description: 'Where you keep it: http, https or urn. Query and fragment are dropped; encrypted.',
    example: 'https://archive.example/proofs/17',
    maxLength: 2048,
    format: 'uri',
    pattern: WEB_ADDRESS_OR_URN,
    patternHint: 'an http or https address, or a urn',
    optional: true,
  })
  uri?: string;
  @Text({
    description: 'Media type.',
    example: 'image/png',
    maxLength: 100,
    pattern: '^[a-z]+/[a-z0-9.+-]+$',
    patternHint: 'a media type',
    optional: true,
  })
  mediaType?: string;
}

/* What is kept of a request, as histories show it: personal members are null after erasure. */

export class KeptCollectionDto extends CollectionDto {
  @Text({
    description: 'Origin and path of the page; null after erasure.',
    example: 'https://shop.example/checkout',
    maxLength: 2048,
    minLength: 0,
    optional: true,
    nullable: true,
  })
  override url?: string;
  @Text({
    description:
      'As it was sent. Only of records from before it was checked, since when `presentation` says what it says; null after erasure.',
    example: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
    maxLength: 4096,
    optional: true,
    nullable: true,
  })
  override presentationToken?: string;
}

export class KeptActorDto extends ActorDto {
  @Text({
    description: 'Who that is; null after erasure.',
    example: 'agent-17',
    maxLength: 255,
    optional: true,
    nullable: true,
  })
  override id?: string;
  @Text({
    description: 'Relationship to the subject; null after erasure.',
    example: 'parent',
    maxLength: 100,
    optional: true,
    nullable: true,
  })
  override relationship?: string;
}

export class VouchedDto {
  @Text({ description: 'The secret key that signed it.', example: 'key_4Zt8nXq2LmPa', maxLength: 20 }) keyId!: string;
  @Timestamp({ description: 'When it was signed, as it says.' }) issuedAt!: string;
}

export class ProvenanceDto {
  @Text({
    description: 'The API key that was used, or the operator who acted; `system:` and what, where the service did.',
    example: 'key_4Zt8nXq2LmPa',
    maxLength: 60,
  })
  keyId!: string;
  @Text({ description: 'Origin of the browser.', example: 'https://shop.example', maxLength: 300, optional: true })
  origin?: string;
  @Text({
    description: 'Address, truncated to /24 or /48 before it was stored; null after erasure.',
    example: '203.0.113.0',
    maxLength: 60,
    optional: true,
    nullable: true,
  })
  ip?: string | null;
  @Text({
    description: 'Family and major version; null after erasure.',
    example: 'Firefox 140',
    maxLength: 60,
    optional: true,
    nullable: true,
  })
  userAgent?: string | null;
  @Nested(() => VouchedDto, {
    description: 'The identity token that vouched for the subject; absent where none was needed.',
    optional: true,
  })
  identity?: VouchedDto;
}
