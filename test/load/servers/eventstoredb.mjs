// The small protocol server of the tests, in a process of its own, where no real EventStoreDB is named.
import { register } from 'node:module';

register('../../support/typescript.mjs', import.meta.url);
const { ProtocolServer } = await import('../../support/eventstoredb/protocol-server.ts');

const server = await ProtocolServer.start();
process.once('disconnect', end).once('SIGTERM', end);
process.send({ url: server.url });

async function end() {
  await server.stop();
  process.exit(0);
}
