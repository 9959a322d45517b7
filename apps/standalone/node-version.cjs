// Refuses a Node.js that is too old and a system that is not supported, whatever is started: in words that every version
// since 12 can read, and loaded before anything that only newer ones can. package.json says the same version in `engines`.
// `prestart` and `pretest` run it by itself: what comes after them is written for shells that Windows does not have.
if (process.platform === 'win32') {
  console.error('Assent runs on Linux and macOS; on Windows run it inside WSL 2: https://learn.microsoft.com/windows/wsl/install.');
  process.exit(1);
}
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Assent needs Node.js 20.19 or newer, this is ${process.versions.node}; install a newer one from https://nodejs.org.`,
  );
  process.exit(1);
}
