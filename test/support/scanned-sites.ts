import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

/** Sites with known sins, for the tests of `assent scan`. */
export interface ScannedSites {
  /** A page of the site of that name. Each site has a port, and a robots.txt and links, of its own. */
  url(site: SiteName, path?: string): string;
  /** What pages asked for, as `METHOD path`, with the user agents that asked. */
  asked: { path: string; agent: string }[];
  stop(): Promise<void>;
}

type SiteName = 'sinful' | 'honest' | 'silent' | 'vanilla' | 'framed' | 'elements';

/** Of the pages that another party serves. */
const OTHER_HOST = '127.0.0.2';
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const html = (body: string): string => `<!doctype html><html lang="en"><title>Shop</title><body>${body}`;

/** A banner with the buttons of OneTrust that hides, and does more than it says. */
const FAKE = html(`
  <script src="/first.js"></script>
  <div id="banner"><button id="onetrust-accept-btn-handler">Accept</button><button id="onetrust-reject-all-handler">Reject</button></div>
  <a href="/server">a</a> <a href="/storing#part">b</a> <a href="/embedding">c</a> <a href="/secret">d</a> <a href="/away">g</a>
  <a href="/file.pdf">e</a> <a href="http://127.0.0.2/elsewhere">f</a>
  <script>
    document.cookie = 'OptanonConsent=x; path=/';
    const banner = document.getElementById('banner');
    if (/answered/.test(document.cookie)) banner.hidden = true;
    for (const [id, name] of [['accept-btn-handler', 'agreed'], ['reject-all-handler', 'sneaked']])
      document.getElementById('onetrust-' + id).addEventListener('click', () => {
        document.cookie = name + '=1; path=/; max-age=3600';
        document.cookie = 'OptanonAlertBoxClosed=answered; path=/';
        banner.hidden = true;
      });
  </script>`);

/** A banner in a shadow root, with the buttons of Usercentrics, that keeps its word. */
const HONEST = html(`
  <div id="usercentrics-root"></div>
  <script>
    const host = document.getElementById('usercentrics-root');
    const load = () => {
      document.cookie = '_stat=1; path=/; max-age=34128000';
    };
    const settle = (choice) => {
      localStorage.setItem('uc_settings', choice);
      host.remove();
      if (choice === 'yes') load();
    };
    const known = localStorage.getItem('uc_settings');
    if (known) settle(known);
    else {
      const root = host.attachShadow({ mode: 'open' });
      for (const [id, words] of [['accept', 'yes'], ['deny', 'no']]) {
        const button = document.createElement('button');
        button.dataset.testid = 'uc-' + id + '-all-button';
        button.textContent = words;
        button.onclick = () => settle(words);
        root.append(button);
      }
    }
  </script>`);

const VANILLA = html(`
  <script type="text/plain" data-category="analytics">document.cookie = '_ga=1; path=/';</script>
  <link rel="stylesheet" href="/cookieconsent.css">
  <script src="/cookieconsent.js"></script>
  <script>
    CookieConsent.run({
      categories: { necessary: { enabled: true, readOnly: true }, analytics: {} },
      language: { default: 'en', translations: { en: {
        consentModal: { title: 'Cookies', acceptAllBtn: 'Accept all', acceptNecessaryBtn: 'Reject all' },
        preferencesModal: { title: 'Choices', sections: [] },
      } } },
    });
  </script>`);

/** A banner of its own in a frame of another host, in which the buttons have no names that are known. */
const framed = (banner: string): string =>
  html(`
  <script>
    document.cookie = 'early=1; path=/';
    addEventListener('message', ({ data }) => {
      document.querySelector('iframe').remove();
      document.cookie = 'choice=' + data + '; path=/; max-age=7200';
    });
  </script>
  <iframe src="${banner}"></iframe>`);
const IN_FRAME = html(
  ['yes', 'no']
    .map((word) => `<button class="${word}" onclick="parent.postMessage('${word}', '*')">${word}</button>`)
    .join(''),
);

const ofPackage = (path: string): string =>
  readFileSync(createRequire(import.meta.url).resolve(`vanilla-cookieconsent/dist/${path}`), 'utf8');

interface Answered {
  type?: string;
  headers?: Record<string, string>;
  body: string | Buffer;
}

/** `line`: the one that puts the elements into a page. */
export async function startScannedSites(line: string): Promise<ScannedSites> {
  const asked: ScannedSites['asked'] = [];
  const servers: Server[] = [];
  const serve = async (host: string, pages: (path: string, origin: string) => Answered | null): Promise<string> => {
    const server = createServer(({ url, headers }, response) => {
      const path = new URL(url!, 'http://site').pathname;
      asked.push({ path, agent: headers['user-agent'] ?? '' });
      const answer = pages(path, `http://${headers.host}`);
      response.writeHead(answer?.headers?.['Location'] ? 302 : answer ? 200 : 404, {
        'Content-Type': answer?.type ?? 'text/html',
        ...answer?.headers,
      });
      response.end(answer?.body);
    });
    servers.push(server.listen(0, host));
    await once(server, 'listening');
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  };
  const other = await serve(OTHER_HOST, (path) =>
    path === '/banner'
      ? { body: IN_FRAME }
      : path === '/elsewhere'
        ? { headers: { 'Set-Cookie': 'of_another_site=1' }, body: html('<img src="http://127.0.0.1:9/x.gif">') }
        : path === '/frame'
          ? { body: html(`<script>localStorage.setItem('in_frame', '1')</script>`) }
          : {
              type: 'image/gif',
              headers: { 'Set-Cookie': 'tracker=1; Max-Age=3600; SameSite=None; Secure' },
              body: PIXEL,
            },
  );
  const javascript = (body: string): Answered => ({ type: 'text/javascript', body });
  const only = (page: string) => (path: string) => (path === '/' ? { body: page } : null);
  const origins: Record<SiteName, string> = {
    sinful: await serve('127.0.0.1', (path, origin) => {
      const pages: Record<string, Answered> = {
        '/': { body: FAKE },
        '/robots.txt': {
          type: 'text/plain',
          body: `User-agent: *\nDisallow: /secret\nSitemap: ${origin}/map.xml\nSitemap: ${other}/map.xml`,
        },
        '/map.xml': {
          type: 'text/xml',
          body: `<?xml version="1.0"?><urlset><url><loc>${origin}/mapped?a=1&amp;b=2</loc></url><url><loc>${other}/frame</loc></url></urlset>`,
        },
        '/first.js': javascript(`document.cookie = '_ga=1; path=/; max-age=34560000'`),
        '/server': {
          headers: { 'Set-Cookie': 'from_server=1; Path=/; HttpOnly; Max-Age=86400' },
          body: html('server'),
        },
        '/storing': {
          body: html(
            `<script>localStorage.setItem('visitor_7f3a9c2e11', '1'); indexedDB.open('tracks'); setTimeout(() => { document.cookie = 'late=1; path=/' }, 200)</script>`,
          ),
        },
        '/embedding': {
          body: html(
            `<img src="${other}/pixel.gif" alt=""><iframe src="${other}/frame"></iframe><script src="/load.js"></script>`,
          ),
        },
        '/away': { headers: { Location: `${other}/elsewhere` }, body: '' },
        '/load.js': javascript(`new Image().src = '${other}/count.gif?visitor=1'`),
        '/mapped': { body: html('<script>document.cookie = "mapped=1; path=/"</script>') },
        '/secret': { body: html('<script>document.cookie = "secret=1; path=/"</script>') },
      };
      return pages[path] ?? null;
    }),
    honest: await serve('127.0.0.1', (path) =>
      path === '/' ? { headers: { 'Set-Cookie': 'session=1; Path=/; HttpOnly' }, body: HONEST } : null,
    ),
    silent: await serve('127.0.0.1', only(html(`<script>document.cookie = 'seen=1; path=/'</script>`))),
    // At another host than the service, as sites are.
    elements: await serve(OTHER_HOST, (path) =>
      path === '/stat.js'
        ? javascript(`document.cookie = '_stat=1; path=/; max-age=34128000'`)
        : only(html(`${line}<script type="text/plain" data-assent="analytics" src="/stat.js"></script>`))(path),
    ),
    framed: await serve('127.0.0.1', only(framed(`${other}/banner`))),
    vanilla: await serve('127.0.0.1', (path) =>
      path === '/cookieconsent.js'
        ? javascript(ofPackage('cookieconsent.umd.js'))
        : path === '/cookieconsent.css'
          ? { type: 'text/css', body: ofPackage('cookieconsent.css') }
          : only(VANILLA)(path),
    ),
  };
  return {
    url: (site, path = '/') => origins[site] + path,
    asked,
    stop: async () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
        if (server.listening) await once(server, 'close');
      }
    },
  };
}
