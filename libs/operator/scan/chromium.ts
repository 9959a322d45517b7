import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The scan came to nothing. Nothing is claimed about the site then. */
export class NotScanned extends Error {
  constructor(
    readonly code: 'no_chromium' | 'no_selector' | 'page_not_read',
    message: string,
    readonly hint: string,
  ) {
    super(message);
    this.name = 'NotScanned';
  }
}

const NAMES = [
  'chromium',
  'chromium-browser',
  'chromium-headless-shell',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];
const PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

export const HOW_TO_INSTALL =
  'Install it with "apt-get install chromium-headless-shell" (Debian), "apt-get install chromium" (Ubuntu) or "brew install --cask chromium" (macOS), or name the program by ASSENT_CHROMIUM.';

const runs = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The program that ASSENT_CHROMIUM names, else the first one in PATH, else where it is usually installed. Throws NotScanned. */
export function findChromium(env: NodeJS.ProcessEnv, platform = process.platform): string {
  const named = env['ASSENT_CHROMIUM'];
  if (named && !runs(named))
    throw new NotScanned('no_chromium', `ASSENT_CHROMIUM names ${named}, which is no program here.`, HOW_TO_INSTALL);
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const possible = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(PLACES[platform] ?? []),
  ];
  const found = named || possible.find(runs);
  if (!found) throw new NotScanned('no_chromium', 'A scan needs Chromium, and none was found.', HOW_TO_INSTALL);
  return found;
}
