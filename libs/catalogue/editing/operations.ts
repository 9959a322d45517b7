import { BY_OPERATOR, KB, LASTING_IDEMPOTENCY, REPLAYED, type OperationDeclaration } from '../../access/index.js';
import { TO_ADMINISTER, TO_LOOK } from '../../context/roles.js';
import { CatalogueSettingsDto, ChangeCatalogueSettingsDto } from '../dto.js';
import { SITE_AND_ENV } from '../files/files.operations.js';

const SETTINGS = { object: 'catalogue_settings', owner: 'CONSOLE', approval: 'FOUR_EYES' };

export const EDITING_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'getCatalogueSettings',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/sites/{site}/{env}/catalogue/settings',
    tag: 'Operator',
    summary: 'Where a catalogue is written',
    description: 'Whether files or drafts write the catalogue, and whether a draft needs four eyes.',
    pathParameters: SITE_AND_ENV,
    answers: [{ status: 200, description: 'The settings.', contract: CatalogueSettingsDto, example: SETTINGS }],
    refusals: ['route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'changeCatalogueSettings',
    roles: TO_ADMINISTER,
    method: 'PATCH',
    path: '/admin/v1/sites/{site}/{env}/catalogue/settings',
    bodyLimit: 4 * KB,
    tag: 'Operator',
    summary: 'Change where a catalogue is written',
    description:
      'CONSOLE: drafts are published, and applying files is refused. FILES: files are applied, and publishing a draft is refused. So neither undoes the other unnoticed. What is published and what is drafted stays as it is.',
    pathParameters: SITE_AND_ENV,
    headers: [LASTING_IDEMPOTENCY],
    body: {
      contract: ChangeCatalogueSettingsDto,
      examples: { console: { owner: 'CONSOLE', approval: 'FOUR_EYES' }, files: { owner: 'FILES' } },
    },
    answers: [
      {
        status: 200,
        description: 'The settings as they are now.',
        contract: CatalogueSettingsDto,
        example: SETTINGS,
        headers: { 'X-Log-Position': 'Position of the change; absent where nothing changed.', ...REPLAYED },
      },
    ],
    refusals: ['validation_failed', 'state_conflict', 'route_not_found'],
  },
];
