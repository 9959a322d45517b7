// What Node itself can do on this machine: everything else is measured as a ratio to this.
import { createServer } from 'node:http';

process.once('disconnect', () => process.exit());

const server = createServer((_, response) => {
  const body = JSON.stringify({ status: 'live' });
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.end(body);
}).listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
