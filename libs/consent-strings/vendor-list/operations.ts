import { BY_ANY_KEY, type OperationDeclaration } from '../../access/index.js';
import { VendorListDto, VendorListQuery } from './dto.js';
import { TO_LOOK } from '../../context/roles.js';

const TEXT = {
  id: 1,
  name: 'Keep or read something on a device',
  description: 'Cookies and the like.',
  illustrations: [],
};
const LIST = {
  synthetic: true,
  gvlSpecificationVersion: 3,
  vendorListVersion: 1,
  tcfPolicyVersion: 5,
  lastUpdated: '2026-11-19T16:00:00Z',
  purposes: { 1: TEXT },
  specialPurposes: {},
  features: {},
  specialFeatures: {},
  stacks: {},
  dataCategories: {},
  vendors: {
    8: {
      id: 8,
      name: 'Consent Only (synthetic)',
      purposes: [1],
      legIntPurposes: [],
      flexiblePurposes: [],
      specialPurposes: [],
      features: [],
      specialFeatures: [],
    },
  },
};
const CACHED = { ETag: 'Tag of this answer.', 'Content-Language': 'The language of its texts.' };

export const VENDOR_LIST_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'getVendorList',
    roles: TO_LOOK,
    method: 'GET',
    path: '/v1/tcf/vendor-list',
    scope: 'catalogue:read',
    subject: null,
    tag: 'Frameworks',
    summary: 'The vendor list of IAB TCF',
    description:
      'The list that strings are made with, or an older one by its number: every list that was ever in use here is kept for ever, since a TC string can only be understood with the list that it names. Without a list of IAB Europe a synthetic one is in use, which says so.',
    query: VendorListQuery,
    headers: [
      {
        name: 'Accept-Language',
        description: 'Wanted languages, where the query names none.',
        required: false,
        example: 'de-AT, de;q=0.9',
      },
      { name: 'If-None-Match', description: 'ETag of the list at hand.', required: false, example: 'W/"v1.15e7-en"' },
    ],
    answers: [
      { status: 200, description: 'The list.', contract: VendorListDto, example: LIST, headers: CACHED },
      { status: 304, description: 'The list at hand is current.', headers: CACHED },
    ],
    refusals: ['vendor_list_not_found', 'validation_failed'],
  },
];
