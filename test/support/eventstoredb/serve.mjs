// Serves EventStoreDB's protocol from memory, as a process of its own: what ESDB_URL can name where there is no real
// server. `node test/support/eventstoredb/serve.mjs [port]`, by default 2113; ends on SIGTERM or Ctrl-C.
import { register } from 'node:module';

register('../typescript.mjs', import.meta.url);
const { ProtocolServer } = await import('./protocol-server.ts');
const server = await ProtocolServer.start({ port: Number(process.argv[2] ?? 2113) });
console.log(server.url);
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void server.stop().then(() => process.exit(0)));
