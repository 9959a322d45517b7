import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { inRelease } from '../../engines/release-folder.js';

/** A page of the folder `docs`. */
export interface Guide {
  /** The last segment of its address; empty for the list of all. */
  name: string;
  /** Inside the folder `docs`. */
  file: string;
  markdown: string;
}

/** The list of all pages, by which a person finds them. */
const INDEX = 'README.md';
const PAGES = [
  INDEX,
  'getting-started.md',
  'guides/in-your-pages.md',
  'guides/moving.md',
  'guides/importing.md',
  'guides/coming-from-onetrust.md',
  'guides/coming-from-cookiebot.md',
  'guides/coming-from-usercentrics.md',
  'guides/coming-from-didomi.md',
  'guides/coming-from-c15t.md',
  'guides/scanning.md',
  'concepts.md',
  'http-api.md',
  'operating.md',
  'guides/production.md',
  'guides/eventstoredb.md',
  'guides/api-consumers.md',
  'guides/confirmation-page.md',
  'guides/portal.md',
  'guides/data-requests.md',
  'guides/policy.md',
  'guides/frameworks.md',
  'guides/tcf-and-google.md',
  'guides/gpp.md',
  'guides/auditors.md',
  'guides/statistics.md',
  'guides/data-teams.md',
  'guides/webhook-endpoints.md',
  'guides/webhook-receivers.md',
  'guides/webhook-subscribers.md',
  'guides/operators.md',
  'guides/console.md',
  'guides/webhook-queue.md',
  'reliability.md',
  'speed.md',
  'architecture.md',
  'contributing.md',
  'releasing.md',
  'dependencies.md',
  'decisions/log-in-postgres.md',
  'decisions/one-stream-per-subject.md',
  'decisions/erasure-by-key.md',
  'decisions/rows-are-caches.md',
  'decisions/idempotency-in-the-log.md',
  'decisions/classic-appends.md',
  'decisions/bundled-postgres.md',
  'decisions/contracts-compiled.md',
  'decisions/frameworks-at-the-edge.md',
  'decisions/catalogue-as-files.md',
  'decisions/signatures.md',
  'decisions/webhook-bodies-from-the-log.md',
] as const;

/** What pages show or offer besides, with the type it is served as. */
const ATTACHMENTS = {
  'architecture.svg': 'image/svg+xml; charset=utf-8',
  'flow.svg': 'image/svg+xml; charset=utf-8',
  'guides/banner-bar.svg': 'image/svg+xml; charset=utf-8',
  'guides/banner-box.svg': 'image/svg+xml; charset=utf-8',
  'guides/banner-dialog.svg': 'image/svg+xml; charset=utf-8',
  'guides/banner-wall.svg': 'image/svg+xml; charset=utf-8',
  'guides/console-overview.png': 'image/png',
  'guides/console-person.png': 'image/png',
  'guides/console-proof.png': 'image/png',
  'guides/console-purpose.png': 'image/png',
  'guides/console-requests.png': 'image/png',
  'guides/console-webhooks.png': 'image/png',
  'operating/alerts.yml': 'text/plain; charset=utf-8',
  'operating/assent-migrate.service': 'text/plain; charset=utf-8',
  'operating/assent.env': 'text/plain; charset=utf-8',
  'operating/assent@.service': 'text/plain; charset=utf-8',
  'operating/compose.one-container.yml': 'text/plain; charset=utf-8',
  'operating/grafana-dashboard.json': 'application/json; charset=utf-8',
  'operating/nginx.conf': 'text/plain; charset=utf-8',
} as const;

/** Pages that the service makes of the same source as the file. */
const MADE_OTHERWISE: Readonly<Record<string, string>> = {
  'errors.md': '/docs/errors',
  'jurisdictions.md': '/docs/policy',
};

const nameOf = (file: string): string => (file === INDEX ? '' : posix.basename(file, '.md'));

/**
 * All pages and attachments, read once. What an address names is looked up among these and never on the disk. Throws where
 * one is missing: the release is not whole then.
 */
export function readGuides(folder = inRelease('docs')): {
  guides: ReadonlyMap<string, Guide>;
  attachments: ReadonlyMap<string, { type: string; content: Buffer }>;
} {
  const content = (file: string): string => readFileSync(join(folder, file), 'utf8');
  return {
    guides: new Map(PAGES.map((file) => [nameOf(file), { name: nameOf(file), file, markdown: content(file) }])),
    attachments: new Map(
      Object.entries(ATTACHMENTS).map(([file, type]) => [
        posix.basename(file),
        { type, content: readFileSync(join(folder, file)) },
      ]),
    ),
  };
}

/** Where a link from one file of the folder leads in the service; null where that is not served, such as source code. */
export function addressOf(from: string, link: string): string | null {
  if (/^https?:/.test(link) || link.startsWith('#')) return link;
  const [path = '', anchor] = link.split('#');
  const file = posix.join(posix.dirname(from), path);
  const address = placeOf(file);
  return address && (anchor === undefined ? address : `${address}#${anchor}`);
}

function placeOf(file: string): string | null {
  if (MADE_OTHERWISE[file]) return MADE_OTHERWISE[file];
  if (Object.hasOwn(ATTACHMENTS, file)) return `/docs/guides/files/${posix.basename(file)}`;
  if (!(PAGES as readonly string[]).includes(file)) return null;
  return file === INDEX ? '/docs/guides' : `/docs/guides/${nameOf(file)}`;
}
