/** The list by which a page talks to Google’s tags, and to tag managers. */
export function dataLayer(): unknown[] {
  return ((window as unknown as { dataLayer?: unknown[] }).dataLayer ??= []);
}

/** A command for Google’s tags, as `gtag()` puts it into the list: they take nothing but an arguments object for one. */
export const gtag: (command: 'consent', action: 'default' | 'update', types: object) => void = function () {
  dataLayer().push(arguments);
};

/** Google’s consent mode with nothing allowed. */
export const DENIED: Readonly<Record<string, string>> = Object.fromEntries(
  ['ad_storage', 'ad_user_data', 'ad_personalization', 'analytics_storage']
    .concat(['functionality', 'personalization', 'security'].map((type) => `${type}_storage`))
    .map((type) => [type, 'denied']),
);
