// Refuses a Node.js that is too old, whatever is started: in words that every version since 12 can read, and loaded before
// anything that only newer ones can. package.json says the same version in `engines`.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Assent needs Node.js 20.19 or newer, this is ${process.versions.node}; install a newer one from https://nodejs.org.`,
  );
  process.exit(1);
}
