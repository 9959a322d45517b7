import { expect, test } from '@jest/globals';
import { oldVisitor, type Keeper } from './old-visitor.js';

/** What a browser keeps: cookies as they are decoded, entries of the local storage. */
const browser = (kept: Record<string, string>): Keeper => {
  return (kind, name) => kept[`${kind}:${name}`] ?? null;
};

const UUID = '79af6906-812d-46e7-9171-489767328125';

test.each<[string, string, string, string]>([
  [
    'onetrust',
    `cookie:OptanonConsent`,
    `isGpcEnabled=0&version=6.32.0&isIABGlobal=false&hosts=&consentId=${UUID}&interactionCount=1&groups=C0001:1,C0002:0`,
    UUID,
  ],
  [
    'cookiebot',
    'cookie:CookieConsent',
    "{stamp:'G+6rYDfrzwrZItFRfHCbe8iQIFLhMDCgjBS+/Oq/gZe0Lovh65ODgg==',necessary:true,preferences:false,method:'explicit',ver:1,utc:1705162226478,region:'ae'}",
    'G-6rYDfrzwrZItFRfHCbe8iQIFLhMDCgjBS-_Oq_gZe0Lovh65ODgg',
  ],
  [
    'didomi',
    'cookie:didomi_token',
    btoa(JSON.stringify({ user_id: UUID, purposes: { enabled: ['a'] }, version: 2 })),
    UUID,
  ],
  [
    'usercentrics',
    'storage:uc_settings',
    JSON.stringify({ controllerId: 'a'.repeat(32) + '0f', id: 'x' }),
    'a'.repeat(32) + '0f',
  ],
  [
    'c15t',
    'storage:c15t',
    JSON.stringify({ consents: { necessary: true }, consentInfo: { time: 1, subjectId: 'sub_4pQ9tLzXw81RkYuB3' } }),
    'sub_4pQ9tLzXw81RkYuB3',
  ],
  ['vanilla-cookieconsent', 'cookie:cc_cookie', JSON.stringify({ categories: ['necessary'], consentId: UUID }), UUID],
  ['cookie:shop_visitor', 'cookie:shop_visitor', UUID, UUID],
  ['storage:shop.visitor', 'storage:shop', JSON.stringify({ visitor: UUID }), UUID],
])('finds the id that %s keeps', (from, place, text, id) => {
  expect(oldVisitor(from, browser({ [place]: text }))).toBe(id);
});

test.each<[string, string, Record<string, string>]>([
  ['nothing is kept', 'onetrust', {}],
  ['the product is not known', 'another', { 'cookie:another': UUID }],
  ['nothing was chosen yet', 'cookiebot', { 'cookie:CookieConsent': "{stamp:'-1',necessary:true}" }],
  ['the id is none of a visitor', 'cookie:name', { 'cookie:name': 'ada@example.org' }],
  ['another member is longer', 'storage:shop.visitor', { 'storage:shop': `{"lastvisitor":"${UUID}"}` }],
])('finds none where %s', (_, from, kept) => {
  expect(oldVisitor(from, browser(kept))).toBeNull();
});
