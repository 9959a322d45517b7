// A shop with a login: set ASSENT_URL, ASSENT_SITE, ASSENT_SECRET_KEY, ASSENT_PUBLIC_KEY and PORT.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { AssentClient, ConflictError } from '@assent/client';
import { signIdentityToken } from '@assent/client/server';
import express from 'express';

const { ASSENT_URL, ASSENT_SITE, ASSENT_SECRET_KEY, ASSENT_PUBLIC_KEY, PORT } = process.env;
const consent = new AssentClient({ baseUrl: ASSENT_URL, apiKey: ASSENT_SECRET_KEY });
/** The logged-in person, by the value of the cookie. Replace this by your own sessions and passwords. */
const sessions = new Map();

const app = express();
app.use(express.json());
app.use('/assent', express.static(fileURLToPath(new URL('.', import.meta.resolve('@assent/client/package.json')))));
app.use(express.static(fileURLToPath(new URL('public', import.meta.url))));

const sessionOf = (request) => /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];

/** What the page needs: the public key, and the person who is logged in. */
app.get('/session', (request, response) => {
  response.json({ baseUrl: ASSENT_URL, apiKey: ASSENT_PUBLIC_KEY, person: sessions.get(sessionOf(request)) ?? null });
});

/** Vouches for the person of the session alone, whatever the page asks for. */
app.get('/identity-token', (request, response) => {
  const subject = sessions.get(sessionOf(request));
  if (!subject) return response.sendStatus(401);
  response.set('Cache-Control', 'no-store');
  response.type('text').send(signIdentityToken({ subject, secretKey: ASSENT_SECRET_KEY, site: ASSENT_SITE }));
});

app.post('/login', async (request, response) => {
  const id = String(request.body.user);
  const person = `user_id:${id}`;
  await consent.createSubject({ identifiers: [{ kind: 'user_id', value: id }] });
  await linkVisitor(person, String(request.body.visitor));
  const session = randomUUID();
  sessions.set(session, person);
  response.cookie('session', session, { httpOnly: true, sameSite: 'lax' }).json({ person });
});

/** Links the visitor of this browser to the person: what the visitor refused, the person has refused from now on. */
async function linkVisitor(person, visitor) {
  // The browser may only give away its own visitor: accept no other kind of reference.
  const [, value] = /^visitor_id:([0-9a-f]{32})$/.exec(visitor) ?? [];
  if (!value) return;
  try {
    await consent.addIdentifier(person, { kind: 'visitor_id', value });
  } catch (error) {
    // Another person has logged in from this browser before, and the visitor belongs to that person.
    if (!(error instanceof ConflictError)) throw error;
  }
}

app.post('/logout', (request, response) => {
  sessions.delete(sessionOf(request));
  response.clearCookie('session').sendStatus(204);
});

const server = app.listen(PORT, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
