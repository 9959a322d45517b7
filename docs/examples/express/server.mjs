// A server whose first HTML holds the banner: on the screen before any script runs, and taken over by the one line.
import { manifestSource, renderBanner } from '@assent/elements/server';
import express from 'express';

const service = 'https://consent.example';
const key = 'pk_live_…';
const manifest = manifestSource({ baseUrl: service, key });
const POLICY = `default-src 'none'; script-src ${service} https://stats.example; style-src ${service}; connect-src ${service}; img-src ${service}; frame-src https://video.example`;

const LANGUAGES = ['en', 'de', 'ar'];
const app = express();

app.get('/:lang', async ({ params: { lang }, headers }, response) => {
  if (!LANGUAGES.includes(lang)) return response.sendStatus(404);
  const known = await manifest();
  const banner = known && renderBanner(known, {
    // What stands in front of your server knows the country of a visitor: here a shop that sells in Germany alone.
    country: 'DE',
    locale: lang,
    gpc: headers['sec-gpc'] === '1',
    cookie: headers.cookie,
  });
  // The answer differs by place, language and cookie: no shared cache may keep it.
  response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'private, no-store' }).send(`<!doctype html>
<html lang="${lang}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>A page of Express</title>
    <script src="${service}/elements/v1/assent.js" data-key="${key}" data-country="DE" async></script>
    <script type="text/plain" data-assent="analytics" src="https://stats.example/x.js"></script>
  </head>
  <body>
    ${banner ?? ''}
    <main>
      <h1>A page of Express</h1>
      <assent-gate purpose="marketing">
        <template><iframe src="https://video.example/1" title="How we make lamps" width="560" height="315"></iframe></template>
      </assent-gate>
    </main>
    <footer><assent-choices-link></assent-choices-link></footer>
  </body>
</html>`);
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log(`listening on ${server.address().port}`),
);
