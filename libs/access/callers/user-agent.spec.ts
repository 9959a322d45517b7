import { reduceUserAgent } from './user-agent.js';
import { processorMs } from '../../../test/support/timing.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('a user agent is reduced to family and major version', () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`, 'Chrome 126'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/126.0.0.0 Mobile Safari/537.36`, 'Chrome 126'],
    [`${IPHONE} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`, 'Chrome 126'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.68`,
      'Edge 126',
    ],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`, 'Edge 18'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/125.0.0.0 Safari/537.36 OPR/111.0.0.0`, 'Opera 111'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'Safari 17',
    ],
    [`${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, 'Safari 17'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox 127'],
    [`${IPHONE} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`, 'Firefox 127'],
    [
      `Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-S918B) ${WEBKIT} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet 25',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/124.0.0.0 YaBrowser/24.6.0 Safari/537.36`,
      'Yandex Browser 24',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 Ddg/17.4',
      'DuckDuckGo 17',
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) ${WEBKIT} Version/4.0 Chrome/126.0.6478.71 Mobile Safari/537.36`,
      'Android WebView 126',
    ],
    [`${IPHONE} Mobile/15E148`, 'iOS WebView 17'],
    [`${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/468.0.0.28.107;FBDV/iPhone14,5]`, 'Facebook app 468'],
    [`${IPHONE} Mobile/15E148 Instagram 337.0.3.23.54 (iPhone14,5; iOS 17_5)`, 'Instagram app 337'],
    ['Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko', 'Internet Explorer 11'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/126.0.0.0 Safari/537.36`, 'Headless Chrome 126'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot 2'],
    [
      `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${WEBKIT} Chrome/126.0.6478.61 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
      'Googlebot 2',
    ],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot 2'],
    [`Mozilla/5.0 ${WEBKIT}; compatible; GPTBot/1.1; +https://openai.com/gptbot`, 'GPTBot 1'],
    ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'Bot'],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'facebookexternalhit 1'],
    ['curl/8.5.0', 'curl 8'],
    ['Wget/1.21.4', 'Wget 1'],
    ['PostmanRuntime/7.39.0', 'Postman 7'],
    ['python-requests/2.32.3', 'Python Requests 2'],
    ['Go-http-client/1.1', 'Go HTTP client 1'],
    ['okhttp/4.12.0', 'OkHttp 4'],
    ['Shop/512 CFNetwork/1496.0.7 Darwin/23.5.0', 'Apple CFNetwork 1496'],
    ['Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/AP1A)', 'Android Dalvik 2'],
    ['node', 'Node.js'],
    ['undici', 'Node.js'],
  ])('%s', (header, reduced) => expect(reduceUserAgent(header)).toBe(reduced));

  it('keeps nothing of a client that is not in the list', () => {
    expect(reduceUserAgent('Anna-Schmidt-Laptop/3.1')).toBe('Other');
    expect(reduceUserAgent('Firefox/123456789012')).toBe('Firefox 1234');
    expect(reduceUserAgent(undefined)).toBeNull();
  });

  it('reads a hostile header in linear time', () => {
    const hostile = 'Mozilla/5.0 (iPhone OS 1 ; wv) MSIE Trident/'.repeat(20_000);
    expect(processorMs(() => reduceUserAgent(hostile))).toBeLessThan(200);
  });
});
