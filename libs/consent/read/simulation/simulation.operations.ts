import { BY_OPERATOR, KB, MB, type OperationDeclaration } from '../../../access/index.js';
import { TO_DRAFT } from '../../../context/roles.js';
import { SimulateCatalogueDto, SimulateDraftDto, SimulationDto } from '../../simulation/simulation-dto.js';

const PURPOSE_FILE = {
  key: 'analytics',
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'ANALYTICS',
  controller: { name: 'Demo Shop', contact: 'privacy@demo.example' },
  defaultLocale: 'en',
  translations: { en: { name: 'Statistics', description: 'We count which pages are read, and how long.' } },
  change: { kind: 'MATERIAL', summary: 'The time is counted too.' },
};

const SIMULATION = {
  at: '2026-11-21T12:00:00.000Z',
  changes: [{ object: 'purpose', key: 'analytics', action: 'PUBLISH', version: 2, changed: ['translations'] }],
  subjects: 5000,
  share: 1,
  impacts: [{ purpose: 'analytics', country: 'DE', askAgain: 120, becomeBlocked: 120, becomeAllowed: 0 }],
  nextCursor: null,
  hasMore: false,
};

export const SIMULATION_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_OPERATOR,
    id: 'simulateCatalogue',
    roles: TO_DRAFT,
    method: 'POST',
    path: '/admin/v1/sites/{site}/{env}/catalogue/simulation',
    bodyLimit: 2 * MB,
    tag: 'Operator',
    summary: 'What publishing would change for people',
    description:
      'Counts, before files are published, of how many subjects it would differ: who would have to be asked again, become blocked or become allowed, by purpose and country. The same table answers it as answers the state, so the numbers are those that follow when the files are applied. Nothing is written. Of many subjects each answer counts a part: send the same files again with `nextCursor` as `cursor`, and add the parts up. It is read from the rows of the read model, which can lag behind the log by a moment. Where files or catalogue change between two answers, `state_conflict` says so.',
    pathParameters: {
      site: { description: 'Site.', example: 'demo' },
      env: { description: '`test` or `live`.', example: 'test' },
    },
    body: { contract: SimulateCatalogueDto, examples: { onePurpose: { purposes: [PURPOSE_FILE] } } },
    answers: [
      {
        status: 200,
        description: 'The numbers of a part of the subjects.',
        contract: SimulationDto,
        example: SIMULATION,
      },
    ],
    refusals: ['validation_failed', 'banner_not_compliant', 'state_conflict', 'route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'simulateCatalogueDraft',
    roles: TO_DRAFT,
    method: 'POST',
    path: '/admin/v1/sites/{site}/{env}/catalogue/draft/simulation',
    bodyLimit: 16 * KB,
    tag: 'Operator',
    summary: 'What publishing the draft would change for people',
    description:
      'What `simulateCatalogue` answers of files, of the draft that waits to be published. Refused with the places where the draft is not finished.',
    pathParameters: {
      site: { description: 'Site.', example: 'demo' },
      env: { description: '`test` or `live`.', example: 'test' },
    },
    body: { contract: SimulateDraftDto, examples: { all: {}, part: { limit: 1000 } } },
    answers: [
      {
        status: 200,
        description: 'The numbers of a part of the subjects.',
        contract: SimulationDto,
        example: SIMULATION,
      },
    ],
    refusals: ['validation_failed', 'banner_not_compliant', 'state_conflict', 'route_not_found'],
  },
];
