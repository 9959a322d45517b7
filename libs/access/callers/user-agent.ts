/** Characters of the header that are examined; browsers send 80 to 250. */
const USER_AGENT_MAX_LENGTH = 512;

/**
 * Families in the order of the search: a browser that also names another one comes before it. The list is closed on
 * purpose. A product name that is not in it becomes `Other`, because the full header is a fingerprint, and home-made
 * clients put names of people and devices into it.
 */
const FAMILIES: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['Googlebot', /\bGooglebot(?:-\w+)?\/(\d+)/],
  ['Google AdsBot', /\bAdsBot-Google/],
  ['bingbot', /\bbingbot\/(\d+)/],
  ['GPTBot', /\bGPTBot\/(\d+)/],
  ['ClaudeBot', /\bClaudeBot\/(\d+)/],
  ['Applebot', /\bApplebot\/(\d+)/],
  ['YandexBot', /\bYandexBot\/(\d+)/],
  ['facebookexternalhit', /\bfacebookexternalhit\/(\d+)/],
  ['Bot', /bot\b|crawler|spider/i],
  ['Headless Chrome', /\bHeadlessChrome\/(\d+)/],
  ['curl', /^curl\/(\d+)/],
  ['Wget', /^Wget\/(\d+)/],
  ['Postman', /^PostmanRuntime\/(\d+)/],
  ['Python Requests', /^python-requests\/(\d+)/],
  ['Go HTTP client', /^Go-http-client\/(\d+)/],
  ['OkHttp', /\bokhttp\/(\d+)/],
  ['Apple CFNetwork', /\bCFNetwork\/(\d+)/],
  ['Android Dalvik', /^Dalvik\/(\d+)/],
  ['Dart', /^Dart\/(\d+)/],
  ['axios', /^axios\/(\d+)/],
  ['Node.js', /^(?:node|undici|node-fetch)(?:$|[/ ])(?:v?(\d+))?/],
  ['Facebook app', /\bFBAV\/(\d+)/],
  ['Instagram app', /\bInstagram (\d+)/],
  ['Edge', /\b(?:Edg|EdgA|EdgiOS|Edge)\/(\d+)/],
  ['Opera', /\b(?:OPR|OPT|OPiOS)\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['UC Browser', /\bUCBrowser\/(\d+)/],
  ['Yandex Browser', /\bYaBrowser\/(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)/],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Android WebView', /; wv\).*\bChrome\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//],
  ['iOS WebView', /\biPhone OS (\d+)\S* .*AppleWebKit\//],
  ['Internet Explorer', /\b(?:MSIE |Trident\/.*\brv:)(\d+)/],
];

/** Reduces a `User-Agent` header to family and major version (`Firefox 127`); null if there is none. */
export function reduceUserAgent(header: string | undefined): string | null {
  if (!header) return null;
  const looked = header.slice(0, USER_AGENT_MAX_LENGTH);
  for (const [family, pattern] of FAMILIES) {
    const found = pattern.exec(looked);
    // Four digits at most: no browser has more, and a longer number would be an identifier.
    if (found) return found[1] ? `${family} ${found[1].slice(0, 4)}` : family;
  }
  return 'Other';
}
