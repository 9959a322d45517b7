import { spawn } from 'node:child_process';

/**
 * Reads process ids until its input ends; then kills the last one it read, the Postgres in the folder, and the folder.
 * A shell, because it costs no memory and outlives whatever happens to the test process, kill -9 included.
 */
const SCRIPT = `
while read -r line; do pid=$line; done
[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
place=$(cd "$1/postgres" 2>/dev/null && pwd -P)
server=$(head -n 1 "$place/postmaster.pid" 2>/dev/null)
if [ -n "$server" ]; then
  kill -QUIT "$server" 2>/dev/null
  tries=0
  while kill -0 "$server" 2>/dev/null && [ $tries -lt 50 ]; do tries=$((tries + 1)); sleep 0.1; done
  kill -9 "$server" 2>/dev/null
fi
rm -rf "$1"
[ -n "$place" ] && rm -rf "$place"
exit 0
`;

/**
 * Makes sure that nothing of a test outlives it: neither the folder, nor the Postgres in it, nor a process.
 * @param {string} folder
 * @returns {{ watch(pid: number | null): void, clean(): Promise<void> }}
 */
export function keep(folder) {
  // In a session of its own: Ctrl-C is for the tests, not for who cleans up after them.
  const keeper = spawn('/bin/sh', ['-c', SCRIPT, 'keeper', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  const ended = new Promise((resolve) => keeper.once('exit', resolve));
  keeper.stdin.on('error', () => undefined);
  keeper.unref();
  keeper.stdin.unref?.();
  return {
    watch: (pid) => void keeper.stdin.write(`${pid ?? ''}\n`),
    clean: async () => {
      keeper.ref();
      keeper.stdin.end();
      await ended;
    },
  };
}
