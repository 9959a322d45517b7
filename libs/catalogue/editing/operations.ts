import { BY_OPERATOR, KB, LASTING_IDEMPOTENCY, MB, REPLAYED, type OperationDeclaration } from '../../access/index.js';
import { TO_ADMINISTER, TO_DRAFT, TO_LOOK } from '../../context/roles.js';
import { CatalogueSettingsDto, ChangeCatalogueSettingsDto } from '../dto.js';
import {
  CatalogueDifferenceDto,
  CatalogueDifferenceQuery,
  CatalogueDraftDto,
  CatalogueVersionDto,
  CatalogueVersionListDto,
  CatalogueVersionsQuery,
  SaveDraftDto,
} from './dto.js';
import { PURPOSE_FILE } from '../files/file-examples.js';
import { SITE_AND_ENV } from '../files/files.operations.js';

const SETTINGS = { object: 'catalogue_settings', owner: 'CONSOLE', approval: 'FOUR_EYES' };

const AT = '2026-11-28T10:00:00.000Z';
const DRAFT = {
  object: 'catalogue_draft',
  state: 'OPEN',
  tag: '"draft-7"',
  files: { purposes: [PURPOSE_FILE] },
  base: 3,
  version: 3,
  editedAt: AT,
  editedBy: 'operator:opt_first',
  issues: [],
  changes: [{ object: 'purpose', key: 'analytics', action: 'PUBLISH', version: 2, changed: ['translations'] }],
  settings: SETTINGS,
};
const VERSION = {
  object: 'catalogue_version',
  version: 4,
  at: AT,
  by: 'operator:opt_4Zt8nXq2LmPa',
  source: 'CONSOLE',
  editedBy: 'operator:opt_first',
  changes: [
    {
      object: 'purpose',
      key: 'analytics',
      action: 'PUBLISH',
      version: 2,
      changed: ['translations'],
      summary: 'Clearer words.',
      effectiveFrom: AT,
    },
  ],
};
const DIFFERENCE = {
  object: 'catalogue_difference',
  from: 3,
  to: 4,
  changes: [
    {
      object: 'purpose',
      key: 'analytics',
      action: 'CHANGED',
      before: 1,
      after: 2,
      fields: [
        {
          path: 'translations.en.description',
          change: 'CHANGED',
          before: 'Counts visits.',
          after: 'Counts visits and clicks.',
        },
      ],
    },
  ],
  isCut: false,
};
const IF_MATCH = {
  name: 'If-Match',
  description: 'ETag of the draft as it was read. Where it was saved, published or discarded since, the answer is 409.',
  required: true,
  example: '"draft-6"',
};
const POSITION = { 'X-Log-Position': 'Position of the change; absent where nothing changed.', ...REPLAYED };
const TAGGED = { ETag: 'Tag of the draft, to send back as If-Match.' };
const DRAFT_PATH = '/admin/v1/sites/{site}/{env}/catalogue/draft';

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
  {
    ...BY_OPERATOR,
    id: 'getCatalogueDraft',
    roles: TO_LOOK,
    method: 'GET',
    path: DRAFT_PATH,
    tag: 'Operator',
    summary: 'The draft of a catalogue',
    description:
      'The draft that waits to be published: one for each site and environment, with who saved it last, what publishing it would change, and why it cannot be published yet. Where none waits: the files that are published, to begin one from.',
    pathParameters: SITE_AND_ENV,
    answers: [{ status: 200, description: 'The draft.', contract: CatalogueDraftDto, example: DRAFT, headers: TAGGED }],
    refusals: ['route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'saveCatalogueDraft',
    roles: TO_DRAFT,
    method: 'PUT',
    path: DRAFT_PATH,
    bodyLimit: 2 * MB,
    tag: 'Operator',
    summary: 'Save the draft of a catalogue',
    description:
      'Saves all files of the draft, finished or not: the answer lists what keeps them from being published. What has no file is left alone when the draft is published. Who saved when is recorded for ever; the text only until another one is saved. Send the ETag that you read as If-Match: two editors do not overwrite each other. Where others published meanwhile the draft is kept and stays behind; bring their changes in, and name the newest version as `base`.',
    pathParameters: SITE_AND_ENV,
    headers: [IF_MATCH, LASTING_IDEMPOTENCY],
    body: {
      contract: SaveDraftDto,
      examples: {
        onePurpose: { purposes: [PURPOSE_FILE] },
        unfinished: { purposes: [{ key: 'newsletter' }] },
        broughtUp: { purposes: [PURPOSE_FILE], base: 3 },
      },
    },
    answers: [
      {
        status: 200,
        description: 'The draft as it stands now.',
        contract: CatalogueDraftDto,
        example: DRAFT,
        headers: { ...TAGGED, ...POSITION },
      },
    ],
    refusals: ['validation_failed', 'state_conflict', 'route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'discardCatalogueDraft',
    roles: TO_DRAFT,
    method: 'DELETE',
    path: DRAFT_PATH,
    tag: 'Operator',
    summary: 'Discard the draft of a catalogue',
    description: 'Nothing of it is published. The next draft is made from what is published.',
    pathParameters: SITE_AND_ENV,
    headers: [IF_MATCH, LASTING_IDEMPOTENCY],
    answers: [
      {
        status: 200,
        description: 'What is published, to begin another draft from.',
        contract: CatalogueDraftDto,
        example: { ...DRAFT, state: 'NONE', tag: '"published-3"', editedAt: null, editedBy: null, changes: [] },
        headers: { ...TAGGED, ...POSITION },
      },
    ],
    refusals: ['validation_failed', 'state_conflict', 'route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'publishCatalogueDraft',
    // An EDITOR may publish where no four eyes are asked for; where they are, the decision asks for a role TO_DECIDE.
    roles: TO_DRAFT,
    method: 'POST',
    path: `${DRAFT_PATH}/publish`,
    tag: 'Operator',
    summary: 'Publish the draft of a catalogue',
    description:
      'Publishes the draft that was read (If-Match) as the next version of the catalogue, all of it or nothing. Refused where files own the catalogue, where the draft is not finished, where others published since it was begun (`state_conflict` at `base`), and, with `approval: FOUR_EYES`, for the operator who saved it last and for an EDITOR (`approval_missing`). The log keeps who edited and who published.',
    pathParameters: SITE_AND_ENV,
    headers: [IF_MATCH, LASTING_IDEMPOTENCY],
    answers: [
      {
        status: 200,
        description: 'The version that was published.',
        contract: CatalogueVersionDto,
        example: VERSION,
        headers: { 'X-Log-Position': 'Position of the last event.', ...REPLAYED },
      },
    ],
    refusals: [
      'validation_failed',
      'banner_not_compliant',
      'catalogue_owned_by_files',
      'approval_missing',
      'state_conflict',
      'route_not_found',
    ],
  },
  {
    ...BY_OPERATOR,
    id: 'listCatalogueVersions',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/sites/{site}/{env}/catalogue/versions',
    tag: 'Operator',
    summary: 'Versions of a catalogue',
    description:
      'What was published together, newest first: when, by whom, from files or from a draft, and what it changed.',
    pathParameters: SITE_AND_ENV,
    query: CatalogueVersionsQuery,
    answers: [
      {
        status: 200,
        description: 'A page of versions.',
        contract: CatalogueVersionListDto,
        example: { data: [VERSION], nextCursor: null, hasMore: false },
        headers: { Link: 'The next page, where there is one.' },
      },
    ],
    refusals: ['validation_failed', 'route_not_found'],
  },
  {
    ...BY_OPERATOR,
    id: 'compareCatalogueVersions',
    roles: TO_LOOK,
    method: 'GET',
    path: '/admin/v1/sites/{site}/{env}/catalogue/versions/{n}/diff',
    tag: 'Operator',
    summary: 'What differs between two versions of a catalogue',
    description:
      'By purpose and document: which places of the file were added, removed, changed or moved, with what stood there before and after.',
    pathParameters: { ...SITE_AND_ENV, n: { description: 'Number of the version.', example: '1' } },
    query: CatalogueDifferenceQuery,
    answers: [{ status: 200, description: 'The difference.', contract: CatalogueDifferenceDto, example: DIFFERENCE }],
    refusals: ['validation_failed', 'catalogue_version_not_found', 'route_not_found'],
  },
];
