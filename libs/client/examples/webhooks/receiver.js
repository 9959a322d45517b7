// Receives webhooks: ASSENT_WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.js
import { createServer } from 'node:http';
import { constructWebhookEvent, WebhookSignatureError } from '@assent/client/server';

const LONGEST_BODY = 1_000_000;
const secret = process.env.ASSENT_WEBHOOK_SECRET;
/** Use a table of handled ids instead, and fill it in the transaction that handles the event. */
const handled = new Set();

function handle(event) {
  // A delivery can come twice, with the same id.
  if (handled.has(event.id)) return;
  handled.add(event.id);
  if (event.type === 'consent.withdrawn') console.log(`stop ${event.data.object.purpose} for ${event.subject.id}`);
  else console.log(`received ${event.type}`);
}

/** The bytes as they came: parsed and written again they would have another signature. */
async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > LONGEST_BODY) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  try {
    const rawBody = await bodyOf(request);
    handle(constructWebhookEvent({ header: request.headers['consent-signature'], rawBody, secret }));
    response.writeHead(204).end();
  } catch (error) {
    const isForged = error instanceof WebhookSignatureError;
    console.error(isForged ? `refused: ${error.reason}` : error);
    // The service sends a failed delivery again later.
    response.writeHead(isForged ? 401 : 500).end();
  }
});
server.listen(process.env.PORT, '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
