// An OpenID Connect provider (oidc-provider) with one person in it, as a process of its own. It prints where it listens.
// `POST /as` with JSON says who signs in and what goes wrong: `groups`; `emailVerified`; `rotate`: new keys from now on; `lie`: claims of
// the next ID token are replaced by these, and it is signed anew by the right key.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { exportJWK, generateKeyPair, importJWK, SignJWT, decodeJwt } from 'jose';
import { Provider } from 'oidc-provider';

const state = { groups: ['privacy-team'], emailVerified: true, lie: null };
const server = createServer().listen(Number(process.env.PROVIDER_PORT ?? 0), '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;
let key;
let callback;

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: crypto.randomUUID() };
  const provider = new Provider(issuer, {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: 'assent',
        client_secret: 'a secret of the tests, long enough',
        redirect_uris: ['https://replaced.example/'],
      },
    ],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    cookies: { keys: ['of the tests'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        ...{ sub: id, name: 'Ada Lovelace', groups: state.groups },
        ...{ email: 'ada@shop.example', email_verified: state.emailVerified },
      }),
    }),
  });
  // The service listens on a port that is not known before.
  provider.Client.prototype.redirectUriAllowed = () => true;
  callback = provider.callback();
}
await newKey();

async function body(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Puts other claims into the ID token of an answer, and signs it with the right key. */
async function lying(text, claims) {
  const answer = JSON.parse(text);
  if (!answer.id_token) return text;
  const signed = new SignJWT({ ...decodeJwt(answer.id_token), ...claims }).setProtectedHeader({
    alg: 'RS256',
    kid: key.kid,
  });
  return JSON.stringify({ ...answer, id_token: await signed.sign(await importJWK(key, 'RS256')) });
}

server.on('request', async (request, response) => {
  if (request.url === '/as') {
    const { rotate, ...as } = JSON.parse(await body(request));
    if (rotate) await newKey();
    Object.assign(state, as);
    return response.end('{}');
  }
  if (request.url === '/token' && state.lie !== null) {
    const { end } = response;
    response.end = (chunk, ...more) => {
      const claims = state.lie;
      state.lie = null;
      void lying(String(chunk), claims).then((text) => {
        response.setHeader('Content-Length', Buffer.byteLength(text));
        end.call(response, text, ...more);
      });
      return response;
    };
  }
  callback(request, response);
});
console.log(`listening on ${server.address().port}`);
