import { BY_ANY_KEY, type OperationDeclaration } from '../../access/index.js';
import { LocaleQuery } from '../dto.js';
import { PreferenceTemplateDto } from '../template/template-dto.js';
import { AT, CACHED, HEADERS } from './operation-parts.js';
import { TO_LOOK } from '../../context/roles.js';

const TOPIC = {
  key: 'email_news',
  kind: 'TOGGLE',
  label: 'News',
  help: null,
  channel: 'email',
  topic: 'news',
  purposeKey: null,
  options: [{ value: 'WEEKLY', label: 'Once a week' }],
  default: false,
  required: false,
  doubleOptIn: 'REQUIRED',
  validation: {},
};
const AGE = {
  ...TOPIC,
  key: 'age',
  kind: 'NUMBER',
  label: 'Age',
  channel: null,
  topic: null,
  options: [],
  default: null,
  doubleOptIn: 'NONE',
  validation: { min: 16, max: 120, whole: true },
};
const TEMPLATE = {
  object: 'preference_template',
  version: 1,
  locale: 'en',
  availableLocales: ['de', 'en'],
  channels: [{ key: 'email', label: 'E-mail', verification: 'EMAIL' }],
  sections: [
    { key: 'mail', title: 'What we may send you', fields: [TOPIC] },
    { key: 'you', title: 'About you', fields: [AGE] },
  ],
  contentHash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  change: { from: null, summary: 'First version.' },
  effectiveFrom: AT,
  publishedAt: AT,
};

export const TEMPLATE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'getPreferenceTemplate',
    roles: TO_LOOK,
    method: 'GET',
    path: '/v1/preference-template',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Preferences',
    summary: 'The preference template',
    description:
      'The version in force now, in the best language it can be had in: the channels, and what can be preferred, by section. Preferences are checked against it. Where none was published: version 0, with neither.',
    query: LocaleQuery,
    headers: HEADERS,
    answers: [
      {
        status: 200,
        description: 'The template.',
        contract: PreferenceTemplateDto,
        example: TEMPLATE,
        headers: CACHED,
      },
      { status: 304, description: 'The answer at hand is current.', headers: CACHED },
    ],
    refusals: ['validation_failed'],
  },
];
