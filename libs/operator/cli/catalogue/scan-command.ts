import { access, writeFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { countryOf, parseUrl, Refused, regionOf } from '../../../kernel/index.js';
import type { CatalogueFilesDto } from '../../../catalogue/dto.js';
import { policyView, ruleAt, silenceUnder } from '../../../policy/index.js';
import { placeNamed } from '../../../policy/services.js';
import { findChromium, NotScanned } from '../../scan/chromium.js';
import { isPublicHost } from '../../scan/address.js';
import { draftedList } from '../../scan/draft.js';
import { judged, neverSeen, type ScanLaw } from '../../scan/judge.js';
import { ROBOT } from '../../scan/page-finding.js';
import { reportOf, type Scan } from '../../scan/report.js';
import { startScanBrowser } from '../../scan/scan-browser.js';
import { walkSite, type SiteSeen } from '../../scan/walk.js';
import { CommandFailed, EXIT, failed, WrongUsage, type Problem } from '../failure.js';
import { onlyEnvOption } from '../options.js';
import type { Surroundings } from '../surroundings.js';
import { catalogueOf } from './catalogue-paths.js';

interface Options {
  pages: number;
  wait: number;
  site?: string;
  env?: string;
  country?: string;
  region?: string;
  out?: string;
  force: boolean;
  accept?: string;
  refuse?: string;
  ignoreRobots: boolean;
}

const PAGES_MAX = 500;
const WAIT_MAX_S = 60;

/** `assent scan`: what the pages of a site keep and ask for before a choice, after refusing and after accepting. */
export function addScanCommand(program: Command, surroundings: Surroundings): void {
  const { show } = surroundings;
  program
    .command('scan <url...>')
    .description('what pages keep on devices before a choice, after refusing and after accepting, in a real browser')
    .option('--pages <n>', 'most pages of a site that are opened', numberFrom(1, PAGES_MAX, true), 20)
    .option('--wait <seconds>', 'how long a page is watched once it is loaded', numberFrom(0, WAIT_MAX_S, false), 3)
    .option('--site <site>', 'compare with the list of cookies of this site')
    .addOption(onlyEnvOption('environment of that site; default: test'))
    .option('--country <code>', 'whose law applies, ISO 3166-1; default: the strictest', upperCase)
    .option('--region <code>', 'its region, ISO 3166-2', upperCase)
    .option('--out <file>', 'write a cookies.yaml of the list and of what it lacks')
    .option('--force', 'replace that file', false)
    .option('--accept <selector>', 'CSS selector of the button that accepts all; default: those of known products')
    .option('--refuse <selector>', 'CSS selector of the button that refuses all')
    .option('--ignore-robots', 'also open found pages that robots.txt does not allow', false)
    .action(async (urls: string[], options: Options) => {
      const robot = `${ROBOT}/${program.version()}`;
      const scan = await scanned(urls, options, robot, surroundings).catch((error: unknown) => {
        if (error instanceof WrongUsage) throw error;
        // Exit code 1 is for what was found.
        throw new CommandFailed(problemOf(error as Error), EXIT.notScanned);
      });
      const tones = { bad: 'red', good: 'green', title: 'bold' } as const;
      show.result(scan, () => {
        for (const line of reportOf(scan, (tone, text) => show.paint(tones[tone], text))) show.line(line);
      });
      if (scan.faults > 0) show.exitCode = EXIT.failed;
    });
}

async function scanned(
  urls: readonly string[],
  options: Options,
  robot: string,
  { env, server, progress }: Surroundings,
): Promise<Scan> {
  const sites = bySite(urls);
  const law = lawOf(options);
  const { site, env: environment = 'test', out } = options;
  if (site === undefined && options.env !== undefined)
    throw new WrongUsage('--env names an environment of --site, which is missing.');
  if (out !== undefined && !options.force && (await isThere(out)))
    throw new WrongUsage(`${out} is there already.`, 'Name another file, or replace it with --force.');
  const chromium = findChromium(env);
  const files =
    site === undefined ? null : await (await server()).get<CatalogueFilesDto>(catalogueOf({ site, env: environment }));
  const list = files && (files.cookies ?? { defaultLocale: 'en', cookies: [] });
  const at = new Date().toISOString();
  const hosts = urls.map((url) => new URL(url).hostname);
  const onlyPublic = (await Promise.all(hosts.map(isPublicHost))).every(Boolean);
  const browser = await startScanBrowser({ chromium, robot, onlyPublic, watchMs: options.wait * 1000 });
  const seen: SiteSeen[] = [];
  try {
    for (const [origin, pages] of sites) {
      const shown = progress(`scanning ${origin}`);
      const walk = walkSite(browser, pages, {
        pages: Math.max(options.pages, pages.length),
        ignoreRobots: options.ignoreRobots,
        accept: options.accept ?? null,
        refuse: options.refuse ?? null,
        progress: (share, opened) => shown.show(share, opened, 'pages'),
      });
      seen.push(await walk.finally(() => shown.end()));
    }
  } finally {
    await browser.close();
  }
  const judgedSites = seen.map((each) => ({ ...each, things: judged(each.things, list?.cookies ?? null, law) }));
  const things = judgedSites.flatMap((each) => each.things);
  const draft = out === undefined ? null : draftedList(things, list, files?.purposes ?? []);
  if (draft) await written(out!, draft.text);
  return {
    object: 'scan',
    at,
    chromium: browser.version,
    law,
    list: list && { site: site!, env: environment, entries: list.cookies.length },
    faults: things.filter(({ faults }) => faults.length > 0).length,
    sites: judgedSites,
    neverSeen: neverSeen(things, list?.cookies ?? []).map(({ name, technology = 'COOKIE', domain = null }) => ({
      name,
      technology,
      domain,
    })),
    draft: draft && { file: out!, added: draft.added },
  };
}

function problemOf(error: Error): Problem {
  if (error instanceof CommandFailed) return error.problem;
  const { message } = error;
  const [code, hint] =
    error instanceof NotScanned
      ? [error.code, error.hint]
      : ['scan_failed', 'Chromium or this machine failed, not the site. Start the scan again.'];
  return { code, message: message.split('\n')[0]!, hint, issues: [] };
}

/** Addresses by their origin. */
function bySite(urls: readonly string[]): Map<string, string[]> {
  const sites = new Map<string, string[]>();
  for (const text of urls) {
    const url = parseUrl(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== '')
      throw new WrongUsage(`'${text}' is no address of a page.`, 'Write it like https://shop.example/.');
    url.hash = '';
    sites.set(url.origin, [...(sites.get(url.origin) ?? []), url.href]);
  }
  return sites;
}

/** The law of the named place, without what a site has changed of it. */
function lawOf({ country, region }: Pick<Options, 'country' | 'region'>): ScanLaw {
  for (const [code, read, what] of [
    [country, countryOf, '--country must be a country, ISO 3166-1, such as DE.'],
    [region, regionOf, '--region must be a region, ISO 3166-2, such as US-CA.'],
  ] as const)
    if (code !== undefined && read(code) === null) throw new WrongUsage(what);
  try {
    const place = placeNamed(country, region) ?? { country: null, region: null };
    const dated = ruleAt(place, new Date().toISOString());
    const { regulation, model } = policyView(dated, place.country);
    return { ...place, regulation, model, silence: silenceUnder(dated.rule) };
  } catch (error) {
    if (error instanceof Refused) throw new WrongUsage(error.refusal.message, error.refusal.hint);
    throw error;
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const written = (file: string, text: string): Promise<void> =>
  writeFile(file, text).catch(({ message }: Error) => {
    throw failed('file_not_written', `${file} cannot be written: ${message}`, 'Name a file in a folder that is there.');
  });

const upperCase = (text: string): string => text.toUpperCase();

/** Reads a number of an option. */
const numberFrom =
  (least: number, most: number, isWhole: boolean) =>
  (text: string): number => {
    const number = Number(text);
    if (text.trim() === '' || !(number >= least && number <= most) || (isWhole && !Number.isInteger(number)))
      throw new InvalidArgumentError(`It must be ${isWhole ? 'a whole number' : 'a number'} from ${least} to ${most}.`);
    return number;
  };
