import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * The list of parts of the service (CycloneDX), of the one that `npm sbom` makes of the lock file: the packages that are
 * installed beside it, and the development packages whose code the bundler put into its programs and pages. Its number
 * and time follow from the content and the commit, so that the same commit makes the same list.
 * @param {string} root
 * @param {string} made what npm printed
 * @param {{ commit: string, atS: number }} source
 */
export function sbomOf(root, made, { commit, atS }) {
  const sbom = JSON.parse(made);
  const bundled = bundledInto(root);
  sbom.components = sbom.components
    .filter((part) => bundled.has(idOf(part)) || !part.properties?.some(({ name }) => name === DEVELOPMENT))
    .map((part) => (bundled.has(idOf(part)) ? withBundled(part) : part));
  const kept = new Set([sbom.metadata.component['bom-ref'], ...sbom.components.map((part) => part['bom-ref'])]);
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  sbom.metadata.timestamp = new Date(atS * 1000).toISOString();
  // npm takes the name of the folder.
  sbom.metadata.component.name = JSON.parse(made).metadata.component['bom-ref'].split('@')[0];
  sbom.metadata.component.properties = [{ name: 'assent:commit', value: commit }];
  delete sbom.serialNumber;
  const hash = createHash('sha256').update(JSON.stringify(sbom)).digest('hex');
  // A UUID of version 8: its bits are ours.
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return `${JSON.stringify({ ...sbom, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`;
}

const idOf = ({ name, group, version }) => `${group ? `${group}/` : ''}${name}@${version}`;

const withBundled = (part) => ({
  ...part,
  properties: [
    ...(part.properties ?? []).filter(({ name }) => name !== DEVELOPMENT),
    { name: 'assent:bundled', value: 'true' },
  ],
});

/** The packages whose modules the maps of dist/apps name, `<name>@<version>`. */
function bundledInto(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const programs = join(root, 'dist', 'apps');
  const found = new Set();
  for (const map of readdirSync(programs, { recursive: true }).filter((name) => name.endsWith('.map')))
    for (const source of JSON.parse(readFileSync(join(programs, map), 'utf8')).sources) {
      const [, path, name] = /(node_modules\/(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+))\//.exec(source) ?? [];
      if (path && packages[path]) found.add(`${name}@${packages[path].version}`);
    }
  return found;
}
