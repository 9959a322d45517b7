import { BY_OPERATOR, MB, type OperationDeclaration } from '../../access/index.js';
import { TO_LOOK } from '../../context/roles.js';
import { BANNER_FILE, PURPOSE_FILE } from '../files/file-examples.js';
import { SITE_AND_ENV } from '../files/files.operations.js';
import { BANNER_EXAMPLE } from '../read/banner.operations.js';
import { BannerPreviewDto, PreviewBannerDto } from './dto.js';
import { FINDING_RULES } from './findings.js';

export const PREVIEW_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'previewBanner',
    roles: TO_LOOK,
    method: 'POST',
    path: '/admin/v1/sites/{site}/{env}/banner/preview',
    bodyLimit: 2 * MB,
    tag: 'Operator',
    summary: 'What the banner would be, and what is wrong with it',
    description:
      'What `GET /v1/banner` would answer at a place once the files are published and in force: of the files that are sent, else of the draft, else of what is published. Nothing is written, counted or signed. Files may be unfinished: where one has not the form of its kind, the published one is shown in its place. `findings` holds banner, purposes and cookies against rules of authorities and WCAG, each with its source.',
    pathParameters: SITE_AND_ENV,
    body: {
      contract: PreviewBannerDto,
      examples: {
        draft: { country: 'DE', locale: 'en' },
        files: { files: { purposes: [PURPOSE_FILE], banner: BANNER_FILE }, country: 'US', region: 'US-CA' },
        model: { country: 'DE', model: 'OPT_OUT' },
      },
    },
    answers: [
      {
        status: 200,
        description: 'The banner, and the findings.',
        contract: BannerPreviewDto,
        example: {
          object: 'banner_preview',
          of: 'DRAFT',
          banner: { ...BANNER_EXAMPLE, presentationToken: null },
          findings: [
            {
              rule: 'RETENTION',
              source: FINDING_RULES.RETENTION,
              severity: 'WARNING',
              path: 'purposes[analytics].retention',
              message: 'is missing: people are to learn how long data are kept',
            },
          ],
        },
      },
    ],
    refusals: ['validation_failed', 'route_not_found'],
  },
];
