import { expect, it } from '@jest/globals';
import type { CatalogueFilesDto } from '../../../catalogue/dto.js';
import { catalogueTypes } from './catalogue-types.js';

const files = (more: object): CatalogueFilesDto =>
  ({ purposes: [], template: null, ...more }) as unknown as CatalogueFilesDto;

it('every name stands once, in the order of the alphabet', () => {
  const template = {
    channels: [{ key: 'sms' }, { key: 'email' }],
    sections: [
      { fields: [{ key: 'sms_news', channel: 'sms', topic: 'news' }] },
      { fields: [{ key: 'email_news', channel: 'email', topic: 'news' }, { key: 'postal_code' }] },
    ],
  };
  expect(catalogueTypes(files({ purposes: [{ key: 'marketing' }, { key: 'analytics' }], template }), 'shop live')).toBe(
    `// Written by \`assent catalogue types\` from shop live. Not to be edited.
import '@assent/client';

declare module '@assent/client' {
  interface CatalogueNames {
    purpose: 'analytics' | 'marketing';
    field: 'email_news' | 'postal_code' | 'sms_news';
    channel: 'email' | 'sms';
    topic: 'news';
  }
}
`,
  );
});

it('where nothing is published nothing can be named', () =>
  expect(catalogueTypes(files({}), 'shop live')).toContain('purpose: never;'));
