import { BY_OPERATOR, LASTING_IDEMPOTENCY, MB, REPLAYED, type OperationDeclaration } from '../../access/index.js';
import { TO_LOOK, TO_PREPARE } from '../../context/roles.js';
import { ApplyCatalogueDto, CatalogueAppliedDto, CatalogueFilesDto } from '../dto.js';
import {
  BANNER_FILE,
  COOKIES_FILE,
  POLICIES_FILE,
  PURPOSE_FILE,
  TEMPLATE_FILE,
  VENDORS_FILE,
} from './file-examples.js';

export const SITE_AND_ENV = {
  site: { description: 'Site.', example: 'demo' },
  env: { description: '`test` or `live`.', example: 'test' },
};

export const FILE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'exportCatalogue',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/sites/{site}/{env}/catalogue',
    tag: 'Operator',
    summary: 'The catalogue as files',
    description:
      'What stands in the catalogue, in the form in which files are applied: applying exactly this publishes nothing. Of each purpose and document the newest version, also where it is in force only later; such a file says from when. Read from the log itself, so that it misses nothing that was published.',
    pathParameters: SITE_AND_ENV,
    answers: [
      {
        status: 200,
        description: 'The files.',
        contract: CatalogueFilesDto,
        example: { purposes: [PURPOSE_FILE], template: TEMPLATE_FILE },
      },
    ],
    refusals: ['route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'applyCatalogue',
    // For a dry run. To publish asks for a role TO_DECIDE.
    roles: TO_PREPARE,
    method: 'POST',
    path: '/admin/v1/sites/{site}/{env}/catalogue',
    bodyLimit: 2 * MB,
    tag: 'Operator',
    summary: 'Publish catalogue files',
    description:
      'Compares the files with the catalogue and publishes what differs as new versions, all of it or none; where nothing differs nothing is published. What has no file is left alone. Where the console owns the catalogue (`getCatalogueSettings`) it is refused, but for a dry run; `takeOver` makes files the owner again, unless drafts need four eyes. A dry run publishes nothing and is open to EDITOR and DEVELOPER; to publish needs PRIVACY or ADMIN (`role_missing`).',
    pathParameters: SITE_AND_ENV,
    headers: [LASTING_IDEMPOTENCY],
    body: {
      contract: ApplyCatalogueDto,
      examples: {
        onePurpose: { purposes: [PURPOSE_FILE], dryRun: true },
        template: { purposes: [], template: TEMPLATE_FILE },
        vendors: { purposes: [], vendors: VENDORS_FILE, dryRun: true },
        cookies: { purposes: [PURPOSE_FILE], cookies: COOKIES_FILE, dryRun: true },
        banner: { purposes: [], banner: BANNER_FILE, dryRun: true },
        policies: { purposes: [], policies: POLICIES_FILE, dryRun: true },
      },
    },
    answers: [
      {
        status: 200,
        description: 'What was done, or would be.',
        contract: CatalogueAppliedDto,
        example: {
          published: true,
          changes: [{ object: 'purpose', key: 'analytics', action: 'PUBLISH', version: 1, changed: [] }],
        },
        headers: { 'X-Log-Position': 'Position of the last event; absent where nothing was published.', ...REPLAYED },
      },
    ],
    refusals: [
      'validation_failed',
      'banner_not_compliant',
      'catalogue_owned_by_console',
      'approval_missing',
      'state_conflict',
      'route_not_found',
    ],
  },
];
