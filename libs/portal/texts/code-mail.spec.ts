import { LANGUAGES } from '../../pages/languages.js';
import { codeMail } from './code-mail.js';

const brand = { name: 'Shop Example', logo: null, accent: null, imprintUrl: null, privacyUrl: null };

describe.each(LANGUAGES)('the texts of the portal in %s', (language) => {
  it('make a mail that holds the code once, in no subject, and says until when it is good', () => {
    for (const purpose of ['SIGN_IN', 'DATA_REQUEST'] as const) {
      const expiresAt = '2026-11-23T16:18:00.000Z';
      const { subject, content } = codeMail({ purpose, code: '042137', expiresAt, language, brand });
      expect(subject).toContain('Shop Example');
      expect(subject.length).toBeLessThanOrEqual(200);
      expect(subject).not.toContain('042137');
      expect(content.paragraphs.filter((paragraph) => paragraph.includes('042137'))).toEqual(['042137']);
      expect(content.paragraphs.join(' ')).toContain('16:18');
      expect(content.paragraphs.join(' ')).not.toMatch(/[{}]/);
    }
  });
});
