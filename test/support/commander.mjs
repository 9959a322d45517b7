// Runs calls of the `assent` command for shells, where its modules are loaded already: a process for each call costs a
// second of processor. A process of its own, because a command looks for files in the folder of its shell.
import http from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAssent } from '../../dist/libs/composition/command-line.js';

/** A call: where its answer goes, the folder of the shell, the arguments with their number in front, the environment. */
async function call(body) {
  const [answer, folder, count, ...rest] = body.split('\0').slice(0, -1);
  const args = rest.splice(0, Number(count));
  const env = Object.fromEntries(rest.map((entry) => [entry.split('=', 1)[0], entry.slice(entry.indexOf('=') + 1)]));
  const said = { out: '', err: '' };
  const into = (name) => ({
    write: (text, written) => {
      said[name] += text;
      written?.();
    },
  });
  process.chdir(folder);
  const code = await runAssent(args, env, { stdout: into('out'), stderr: into('err') });
  for (const name of ['out', 'err']) writeFileSync(join(answer, name), said[name]);
  return code;
}

/** One after the other: a process is in one folder at a time. */
let before = Promise.resolve();
const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    before = before
      .then(() => call(Buffer.concat(chunks).toString('utf8')))
      .then(
        (code) => response.end(String(code)),
        (error) => response.writeHead(500).end(String(error.stack)),
      );
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
// Whoever started it has ended.
process.stdin.on('end', () => process.exit(0)).resume();
