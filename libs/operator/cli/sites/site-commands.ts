import { Option, type Command } from 'commander';
import { WrongUsage } from '../failure.js';
import { frameworksNamed, addFrameworkOptions, type FrameworkOptions } from './framework-options.js';
import type { Surroundings } from '../surroundings.js';

interface Limit {
  perSecond: number;
  burst: number;
}

interface Site {
  site: string;
  name: string;
  domains: string[];
  languages: string[];
  allowedOrigins: { test: string[]; live: string[] };
  rateLimits: { pk: Limit | null; sk: Limit | null };
}

interface RegisterOptions extends FrameworkOptions {
  name: string;
  domain?: string[];
  language?: string[];
  defaultLocale?: string;
  testOrigin?: string[];
  liveOrigin?: string[];
  pkLimit?: Limit;
  skLimit?: Limit;
  confirmationHours?: string;
  evidenceIp?: string;
  evidenceUserAgent?: string;
  secretKeyInBrowser?: string;
  linkedVisitors?: string;
  ledger?: string;
  identifierKind?: string[];
}

export function addSiteCommands(program: Command, { show, server }: Surroundings): void {
  const sites = program.command('sites').description('sites of this installation');
  const table = (data: Site[]): void =>
    show.table(
      ['SITE', 'NAME', 'DOMAINS', 'LANGUAGES', 'TEST ORIGINS', 'LIVE ORIGINS', 'LIMITS'],
      data.map(({ site, name, domains, languages, allowedOrigins, rateLimits }) => [
        site,
        name,
        domains,
        languages.join(' '),
        allowedOrigins.test,
        allowedOrigins.live,
        [`pk ${limit(rateLimits.pk)}`, `sk ${limit(rateLimits.sk)}`],
      ]),
    );

  sites
    .command('list')
    .description('all sites')
    .action(async () => {
      const data = await (await server()).all<Site>('/admin/v1/sites');
      show.result({ data, nextCursor: null, hasMore: false }, () => table(data));
    });

  const register = sites
    .command('register <site>')
    .description('register a site, or change one: what is not named stays as it is; a list is replaced whole')
    .requiredOption('--name <name>', 'name for people')
    .option('--domain <host...>', 'hosts it is served from; *.shop.example means every sub-domain')
    .option('--language <tag...>', 'languages of its texts')
    .option('--default-locale <tag>', 'language where no wish can be met')
    .option('--test-origin <origin...>', 'pages that may call with public test keys')
    .option('--live-origin <origin...>', 'pages that may call with public live keys')
    .option('--pk-limit <perSecond/burst>', 'units of work per public key and address', parseLimit)
    .option('--sk-limit <perSecond/burst>', 'units of work per secret key', parseLimit)
    .option('--confirmation-hours <hours>', 'how long a link that confirms a preference is good, 1 to 168')
    .addOption(
      new Option('--evidence-ip <what>', 'kept of an address beside a decision').choices(['truncated', 'none']),
    )
    .addOption(new Option('--evidence-user-agent <what>', 'kept of the browser').choices(['family', 'none']))
    .addOption(new Option('--secret-key-in-browser <whether>', 'for consoles behind a log-in').choices(['yes', 'no']))
    .addOption(
      new Option('--linked-visitors <how>', 'whether a public key alone reaches a person by a linked visitor').choices([
        'closed',
        'open',
      ]),
    )
    .addOption(
      new Option('--ledger <how>', 'who may read checkpoints and tiles of the ledger').choices(['closed', 'open']),
    )
    .option('--identifier-kind <kind...>', 'kinds of identifier of its own, such as custom.loyalty_card')
    .action(
      async (
        site: string,
        {
          name,
          domain,
          language,
          defaultLocale,
          testOrigin,
          liveOrigin,
          pkLimit,
          skLimit,
          confirmationHours,
          evidenceIp,
          evidenceUserAgent,
          secretKeyInBrowser,
          linkedVisitors,
          ledger,
          identifierKind,
          ...others
        }: RegisterOptions,
      ) => {
        const given = <T>(key: string, value: T | undefined) => (value === undefined ? {} : { [key]: value });
        const origins = { ...given('test', testOrigin), ...given('live', liveOrigin) };
        const limits = { ...given('pk', pkLimit), ...given('sk', skLimit) };
        const evidence = {
          ...given('ip', evidenceIp?.toUpperCase()),
          ...(evidenceUserAgent !== undefined && { userAgent: evidenceUserAgent === 'family' }),
        };
        const body = {
          site,
          name,
          ...given('domains', domain),
          ...given('languages', language),
          ...given('defaultLocale', defaultLocale),
          ...(Object.keys(origins).length > 0 && { allowedOrigins: origins }),
          ...(Object.keys(limits).length > 0 && { rateLimits: limits }),
          ...(Object.keys(evidence).length > 0 && { evidence }),
          ...(secretKeyInBrowser !== undefined && { allowSecretKeyInBrowser: secretKeyInBrowser === 'yes' }),
          ...given('linkedVisitors', linkedVisitors?.toUpperCase()),
          ...given('ledger', ledger?.toUpperCase()),
          ...given('identifierKinds', identifierKind),
          ...given('frameworks', frameworksNamed(others)),
          ...(confirmationHours !== undefined && { confirmationHours: Number(confirmationHours) }),
        };
        const registered = await (await server()).post<Site>('/admin/v1/sites', body);
        show.result(registered, () => table([registered]));
      },
    );
  addFrameworkOptions(register);
}

const limit = (policy: Limit | null): string => (policy ? `${policy.perSecond}/${policy.burst}` : 'default');

function parseLimit(text: string): Limit {
  const [, perSecond, burst] = /^(\d+(?:\.\d+)?)\/(\d+)$/.exec(text) ?? [];
  if (perSecond === undefined)
    throw new WrongUsage(`A limit is calls per second and calls at once, such as 50/150; "${text}" is not.`);
  return { perSecond: Number(perSecond), burst: Number(burst) };
}
