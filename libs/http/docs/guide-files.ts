import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { inRelease } from '../../engines/release-folder.js';

/** A page of the folder `docs`. */
export interface Guide {
  /** The last segment of its address; empty for the list of all. */
  name: string;
  /** Inside the folder `docs`. */
  file: string;
  markdown: string;
}

/** A page as the navigation names it. */
export interface ListedPage {
  title: string;
  /** The question that it answers, as Markdown. */
  about: string;
  /** Inside the folder `docs`. */
  file: string;
  /** Its path in the service, such as `/docs/guides/portal`. */
  address: string;
}

/** The pages for one kind of reader. */
export interface PageGroup {
  title: string;
  pages: ListedPage[];
}

/**
 * The list of all pages, by which a person finds them. The service takes groups, titles and order from it: a row of its
 * tables is all that a new page needs.
 */
const INDEX = 'README.md';
/** Where the list stands in the service. */
export const GUIDES = '/docs/guides';

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
  'guides/portal-consents.png': 'image/png',
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

/** Made of the interface, and the first page of the group that has its name. */
const OPERATIONS: ListedPage = {
  title: 'All operations',
  about: 'What does each operation take, answer and refuse?',
  file: '',
  address: '/docs/reference',
};
const OPERATIONS_IN = 'Reference';

let groups: PageGroup[] | undefined;

/** All pages in reading order, by the kind of reader. Read once. */
export const pageGroups = (): readonly PageGroup[] =>
  (groups ??= groupsOf(readFileSync(inRelease('docs', INDEX), 'utf8')));

/** The second headings of the list, and the rows of the table below each, `| [Title](file.md) | The question |`. */
const groupsOf = (index: string): PageGroup[] =>
  index
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const)
    .map(([title, section]) => ({
      title,
      pages: [
        ...(title === OPERATIONS_IN ? [OPERATIONS] : []),
        ...[...section.matchAll(/^\| \[(.+?)\]\((\S+\.md)\) \| (.+) \|$/gm)].map(([, title, file, about]) => ({
          title: title!.replaceAll('`', ''),
          about: about!,
          file: file!,
          address: MADE_OTHERWISE[file!] ?? `${GUIDES}/${nameOf(file!)}`,
        })),
      ],
    }))
    .filter(({ pages }) => pages.length > 0);

export const listedPages = (): ListedPage[] => pageGroups().flatMap(({ pages }) => pages);

interface GuideFiles {
  guides: ReadonlyMap<string, Guide>;
  attachments: ReadonlyMap<string, { type: string; content: Buffer }>;
}
let files: GuideFiles | undefined;

/**
 * All pages and attachments, read once. What an address names is looked up among these and never on the disk. Throws where
 * one is missing: the release is not whole then.
 */
export function readGuides(): GuideFiles {
  if (files) return files;
  const guideOf = (file: string): Guide => ({
    name: nameOf(file),
    file,
    markdown: readFileSync(inRelease('docs', file), 'utf8'),
  });
  const pages = [INDEX, ...listedPages().map(({ file }) => file)].filter(
    (file) => file !== '' && !MADE_OTHERWISE[file],
  );
  return (files = {
    guides: new Map(pages.map((file) => [nameOf(file), guideOf(file)])),
    attachments: new Map(
      Object.entries(ATTACHMENTS).map(([file, type]) => [
        posix.basename(file),
        { type, content: readFileSync(inRelease('docs', file)) },
      ]),
    ),
  });
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
  if (Object.hasOwn(ATTACHMENTS, file)) return `/docs/guides/files/${posix.basename(file)}`;
  if (file === INDEX) return GUIDES;
  return listedPages().find((page) => page.file === file)?.address ?? null;
}
