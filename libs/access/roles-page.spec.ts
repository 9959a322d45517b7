import { readFileSync, writeFileSync } from 'node:fs';
import { ROLE_DESCRIPTIONS, ROLES } from '../context/roles.js';

const FILE = new URL('../../docs/guides/operators.md', import.meta.url);
const HEAD = '| Role | May |\n|---|---|\n';

/** Write it anew: WRITE_DOCS=1 npm run unit -- libs/access/roles-page.spec.ts */
it('the guide lists the roles as the code describes them', () => {
  const guide = readFileSync(FILE, 'utf8');
  const rows = ROLES.map((role) => `| \`${role}\` | ${ROLE_DESCRIPTIONS[role]} |\n`).join('');
  const wanted = guide.replace(/\| Role \| May \|\n\|---\|---\|\n(\|.*\n)*/, HEAD + rows);
  if (process.env['WRITE_DOCS']) writeFileSync(FILE, wanted);
  expect(readFileSync(FILE, 'utf8')).toBe(wanted);
});
