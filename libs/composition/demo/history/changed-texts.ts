import type { CatalogueFolder } from '../../../catalogue/services.js';

/** The banner as it is since the middle of the history: both answers stand side by side in plainer words. */
export function changedBanner({ banner }: CatalogueFolder): unknown {
  const before = banner as { presentations: { optIn: object } };
  const optIn = {
    ...before.presentations.optIn,
    title: { en: 'May we?', de: 'Dürfen wir?' },
    body: {
      en: 'Count visits, show you advertising, let partners use what you bought: you choose each of them. The shop works just as well without, and you can change your mind at any time.',
      de: 'Besuche zählen, Ihnen Werbung zeigen, Partner nutzen lassen, was Sie gekauft haben: Sie wählen einzeln. Der Shop funktioniert ohne all das genauso gut, und Sie können es sich jederzeit anders überlegen.',
    },
  };
  return { ...before, presentations: { ...before.presentations, optIn } };
}

/** The purpose as it is since a second partner takes part: earlier grants do not reach as far. */
export function changedMarketing({ purposes }: CatalogueFolder): unknown {
  const before = purposes.find(({ key }) => key === 'marketing')!;
  const { en, de } = before.translations as Record<'en' | 'de', { name: string }>;
  return {
    ...before,
    change: { kind: 'MATERIAL' },
    recipients: [...(before.recipients ?? []), { name: 'Demo Network SA', role: 'THIRD_PARTY', country: 'FR' }],
    translations: {
      en: {
        ...en,
        description:
          'Shows you advertising that fits what you looked at and bought, here and on the pages of partners.',
        legalText:
          'We share usage and purchase data with Demo Ads and Demo Network on the basis of your consent (GDPR art. 6(1)(a)). You can withdraw it at any time.',
      },
      de: {
        ...de,
        description:
          'Zeigt Ihnen Werbung, die zu dem passt, was Sie angesehen und gekauft haben, hier und auf den Seiten von Partnern.',
        legalText:
          'Wir teilen Nutzungs- und Kaufdaten mit Demo Ads und Demo Network auf Grundlage Ihrer Einwilligung (Art. 6 Abs. 1 lit. a DSGVO). Sie können sie jederzeit widerrufen.',
      },
    },
  };
}
