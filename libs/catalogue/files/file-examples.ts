/* Files of a catalogue, as short as they can be. */
export const PURPOSE_FILE = {
  key: 'analytics',
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'ANALYTICS',
  controller: { name: 'Shop Example GmbH', contact: 'privacy@shop.example' },
  defaultLocale: 'en',
  translations: { en: { name: 'Statistics', description: 'Counts visits.' } },
};
export const TEMPLATE_FILE = {
  defaultLocale: 'en',
  channels: [{ key: 'email', label: { en: 'E-mail' }, verification: 'EMAIL' }],
  sections: [
    {
      key: 'mail',
      title: { en: 'What we may send you' },
      fields: [
        {
          key: 'email_news',
          kind: 'TOGGLE',
          label: { en: 'News' },
          channel: 'email',
          topic: 'news',
          doubleOptIn: 'REQUIRED',
        },
      ],
    },
  ],
};
export const VENDORS_FILE = {
  vendors: [{ key: 'demo_statistics', name: 'Demo Statistics Ltd', frameworks: { tcf: 755 } }],
};
export const COOKIES_FILE = {
  defaultLocale: 'en',
  cookies: [
    {
      name: '_stat',
      category: 'ANALYTICS',
      purposeKeys: ['analytics'],
      maxAgeSeconds: 34_128_000,
      description: { en: 'Tells visits apart.' },
    },
  ],
};
export const BANNER_FILE = {
  defaultLocale: 'en',
  presentations: {
    optIn: { title: { en: 'Your privacy' }, body: { en: 'May we count visits and show advertising?' } },
  },
  labels: {
    acceptAll: { en: 'Accept all' },
    rejectAll: { en: 'Reject all' },
    customize: { en: 'Choose' },
    save: { en: 'Save my choices' },
  },
};
export const POLICIES_FILE = {
  policies: [
    {
      country: 'DE',
      changes: { consentValidityDays: 180 },
      who: 'Data protection officer',
      why: 'The supervisory authority advises half a year.',
    },
  ],
};
