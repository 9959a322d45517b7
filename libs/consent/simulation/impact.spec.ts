import { describe, expect, it } from '@jest/globals';
import { type CatalogueEvent, type CatalogueState, type PurposePublishedData } from '../../catalogue/index.js';
import { catalogueFold } from '../../catalogue/state.js';
import { fold } from '../../kernel/index.js';
import type { ConsentRecordedData } from '../events.js';
import { ImpactCount, type Impact } from './impact.js';
import { consentFold, type ConsentState } from '../state.js';

const AT = '2026-11-22T12:00:00.000Z';
const SOON = '2026-12-01T00:00:00.000Z';

type Over = Partial<PurposePublishedData['definition']>;
function published(
  key: string,
  version: number,
  kind: 'MATERIAL' | 'EDITORIAL',
  over: Over = {},
  from = AT,
): CatalogueEvent {
  const definition = { key, legalBasis: 'CONSENT', consentModel: 'OPT_IN', category: 'MARKETING', gpc: false, ...over };
  const change = { from: version === 1 ? null : version - 1, kind, summary: '' };
  const data = { definition, version, change, definitionHash: '', effectiveFrom: from, publishedAt: AT };
  return { type: 'PurposePublished', data: data as PurposePublishedData };
}
const ownRules = (...policies: object[]): CatalogueEvent =>
  ({ type: 'PoliciesPublished', data: { definition: { policies }, version: 1, effectiveFrom: AT } }) as never;
const catalogue = (...events: CatalogueEvent[]): CatalogueState => fold(catalogueFold, events);

const decided = (purpose: string, decision: string, country?: string): ConsentState =>
  fold(consentFold, [
    {
      type: 'ConsentRecorded',
      data: {
        recordId: 'rec_1',
        purpose,
        purposeVersion: 1,
        decision,
        source: 'API',
        givenAt: '2026-11-01T00:00:00.000Z',
        recordedAt: '2026-11-01T00:00:00.000Z',
        expiresAt: null,
        ...(country && { jurisdiction: { country, source: 'DETECTED' } }),
      } as ConsentRecordedData,
    },
  ]);
const nobody = consentFold.initial();

function impacts(
  before: CatalogueState,
  after: CatalogueState,
  subjects: readonly (ConsentState | [ConsentState, string])[],
  at = AT,
): Impact[] {
  const count = new ImpactCount(before, after, at);
  for (const subject of subjects) Array.isArray(subject) ? count.add(...subject) : count.add(subject, null);
  return count.impacts;
}
const none = { askAgain: 0, becomeBlocked: 0, becomeAllowed: 0 };

describe('what another catalogue makes a difference to', () => {
  const before = [published('ads', 1, 'MATERIAL')] as const;
  const granted = decided('ads', 'GRANTED', 'DE');

  it('is nothing where nothing differs, or words alone', () => {
    expect(impacts(catalogue(...before), catalogue(...before), [granted, nobody])).toEqual([]);
    const reworded = catalogue(...before, published('ads', 2, 'EDITORIAL'));
    expect(impacts(catalogue(...before), reworded, [granted, nobody])).toEqual([]);
  });

  it('is every holder where a version is material, by country, and nobody who refused', () => {
    const after = catalogue(...before, published('ads', 2, 'MATERIAL'));
    const subjects = [granted, granted, decided('ads', 'GRANTED'), decided('ads', 'DENIED', 'DE'), nobody];
    expect(impacts(catalogue(...before), after, subjects)).toEqual([
      { purpose: 'ads', country: null, ...none, askAgain: 1, becomeBlocked: 1 },
      { purpose: 'ads', country: 'DE', ...none, askAgain: 2, becomeBlocked: 2 },
    ]);
  });

  it('counts a holder once who has to be asked already', () => {
    const asked = [...before, published('ads', 2, 'MATERIAL')] as const;
    const after = catalogue(...asked, published('ads', 3, 'MATERIAL'));
    expect(impacts(catalogue(...asked), after, [granted])).toEqual([]);
  });

  it('is told for the moment that is asked about', () => {
    const after = catalogue(...before, published('ads', 2, 'MATERIAL', {}, SOON));
    expect(impacts(catalogue(...before), after, [granted])).toEqual([]);
    expect(impacts(catalogue(...before), after, [granted], SOON)).toMatchObject([{ askAgain: 1 }]);
  });

  it('follows the rule of the place: of the newest record, else of the country of the subject', () => {
    const after = catalogue(...before, published('sale', 1, 'MATERIAL', { consentModel: 'OPT_OUT' }));
    const subjects = [decided('ads', 'DENIED', 'US'), [nobody, 'US'], [nobody, 'DE'], nobody] as const;
    expect(impacts(catalogue(...before), after, subjects as never)).toEqual([
      { purpose: 'sale', country: 'US', ...none, becomeAllowed: 2 },
    ]);
  });

  it('holds where the site changes a rule of law, or takes its change back', () => {
    const sale = [published('sale', 1, 'MATERIAL', { consentModel: 'OPT_OUT' })] as const;
    const stricter = { country: 'US', changes: { model: 'OPT_IN' }, who: 'Board', why: 'Everywhere the same.' };
    const subjects = [decided('sale', 'GRANTED', 'US'), [nobody, 'US'], [nobody, 'DE']] as const;
    const [law, own] = [catalogue(...sale), catalogue(...sale, ownRules(stricter))];
    expect(impacts(law, own, subjects as never)).toEqual([
      { purpose: 'sale', country: 'US', ...none, becomeBlocked: 1 },
    ]);
    expect(impacts(own, law, subjects as never)).toEqual([
      { purpose: 'sale', country: 'US', ...none, becomeAllowed: 1 },
    ]);
  });
});
