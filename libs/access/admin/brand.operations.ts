import { BY_OPERATOR, KB, type OperationDeclaration } from '../../context/operations.js';
import { TO_DRAFT, TO_LOOK } from '../../context/roles.js';
import { LASTING_IDEMPOTENCY, REPLAYED } from '../../http/idempotency-key.js';
import { BrandDto, ChangeBrandDto } from './brand.dto.js';

const BRAND = {
  site: 'shop',
  displayName: { en: 'Shop Example' },
  logo: {
    mediaType: 'image/png',
    width: 480,
    height: 120,
    bytes: 5120,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  accentColor: '#0b57b0',
  accentColorDark: '#8ec0ff',
  contrast: {
    light: { color: '#0b57b0', textColor: '#ffffff', text: 6.98, page: 6.98 },
    dark: { color: '#8ec0ff', textColor: '#000000', text: 11.13, page: 9.53 },
  },
  afterConfirming: 'REDIRECT',
  imprintUrl: { en: 'https://shop.example/imprint', de: 'https://shop.example/impressum' },
  privacyUrl: { en: 'https://shop.example/privacy' },
};
const PATH = { site: { description: 'Site.', example: 'demo' } };

export const BRAND_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'getBrand',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/sites/{site}/brand',
    tag: 'Operator',
    summary: 'How the pages of a site look',
    description: 'Name, logo, colours and links of the pages and mails that the service makes for the site.',
    pathParameters: PATH,
    answers: [{ status: 200, description: 'The brand.', contract: BrandDto, example: BRAND }],
    refusals: ['route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'changeBrand',
    roles: TO_DRAFT,
    method: 'POST',
    path: '/admin/v1/sites/{site}/brand',
    bodyLimit: 256 * KB,
    tag: 'Operator',
    summary: 'Change how the pages of a site look',
    description:
      'For the pages behind links in mails, and the mails. What is left out stays as it is; null takes it away. Colours are refused where people could not tell the button from the page (WCAG 2.2, 3:1 in the light and in the dark); the refusal names the measured contrast and the nearest shade that has enough. Sending the same again changes nothing.',
    pathParameters: PATH,
    headers: [LASTING_IDEMPOTENCY],
    body: {
      contract: ChangeBrandDto,
      examples: {
        shop: {
          displayName: { en: 'Shop Example' },
          accentColor: '#0b57b0',
          accentColorDark: '#8ec0ff',
          imprintUrl: { en: 'https://shop.example/imprint', de: 'https://shop.example/impressum' },
          privacyUrl: { en: 'https://shop.example/privacy' },
        },
        withoutLogo: { logo: null },
      },
    },
    answers: [
      {
        status: 200,
        description: 'The brand as it is now.',
        contract: BrandDto,
        example: BRAND,
        headers: { 'X-Log-Position': 'Position of the change in the log.', ...REPLAYED },
      },
    ],
    refusals: ['route_not_found', 'validation_failed', 'state_conflict'],
  },
];
