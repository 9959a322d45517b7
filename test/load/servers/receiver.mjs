// Receives webhooks: at /hang it takes them and never answers, at any other path it says yes. Tells when asked how many came, and how old they were.
import { createServer } from 'node:http';

process.once('disconnect', () => process.exit());

let count = 0;
let agesMs = [];
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url.startsWith('/hang')) return;
    count++;
    const createdAt = /"createdAt":"([^"]+)"/.exec(Buffer.concat(chunks).toString('latin1'))?.[1];
    agesMs.push(Date.now() - Date.parse(createdAt));
    response.writeHead(204).end();
  });
  request.on('error', () => undefined);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.on('message', () => {
  process.send({ count, agesMs });
  count = 0;
  agesMs = [];
});
