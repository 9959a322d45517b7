import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { failed, WrongUsage } from '../failure.js';
import type { Surroundings } from '../surroundings.js';

type ByLanguage = Record<string, string>;
interface MeasuredColor {
  color: string;
  textColor: string;
  text: number;
  page: number;
}
interface Brand {
  site: string;
  displayName: ByLanguage;
  logo: { mediaType: string; width: number; height: number; bytes: number; sha256: string } | null;
  accentColor: string | null;
  accentColorDark: string | null;
  contrast: { light: MeasuredColor; dark: MeasuredColor } | null;
  afterConfirming: 'REDIRECT' | 'PAGE';
  imprintUrl: ByLanguage;
  privacyUrl: ByLanguage;
}

/** Names of removable settings on the command line, with their fields. */
const PARTS = {
  name: 'displayName',
  logo: 'logo',
  accent: 'accentColor',
  'accent-dark': 'accentColorDark',
  imprint: 'imprintUrl',
  privacy: 'privacyUrl',
} as const;

interface Options {
  displayName?: string[];
  logo?: string;
  accent?: string;
  accentDark?: string;
  afterConfirming?: string;
  imprint?: string[];
  privacy?: string[];
  remove?: string[];
}

/** `assent sites brand <site>`: changes the named settings of a site's pages and mails, and shows all of them. */
export function addBrandCommands(program: Command, { show, server }: Surroundings): void {
  program.commands
    .find((command) => command.name() === 'sites')!
    .command('brand <site>')
    .description('show or change the name, logo, colours and links of the pages and mails of a site')
    .option('--display-name <name...>', 'name of the shop, or <language>=<name> for each language')
    .option('--logo <file>', 'PNG, JPEG or WebP of at most 32 KiB; stands on white')
    .option('--accent <colour>', 'such as #0b57b0; needs a contrast of 3:1 to the page')
    .option('--accent-dark <colour>', 'the same on dark pages')
    .addOption(
      new Option(
        '--after-confirming <what>',
        'on to redirectUrl, or a page of the service that offers an undo',
      ).choices(['redirect', 'page']),
    )
    .option('--imprint <url...>', 'https address, or <language>=<address> for each language')
    .option('--privacy <url...>', 'https address, or <language>=<address> for each language')
    .option('--remove <part...>', `take away ${Object.keys(PARTS).join(', ')}`)
    .action(async (site: string, options: Options) => {
      const change = await changeOf(options);
      const { get, post } = await server();
      const path = `/admin/v1/sites/${encodeURIComponent(site)}/brand`;
      const brand = await (Object.keys(change).length === 0 ? get<Brand>(path) : post<Brand>(path, change));
      show.result(brand, () => show.table(['PART', 'IS'], rowsOf(brand)));
    });
}

async function changeOf(options: Options): Promise<Record<string, unknown>> {
  const { displayName, logo, accent, accentDark, afterConfirming, imprint, privacy, remove = [] } = options;
  const removed = remove.map((part) => {
    if (!Object.hasOwn(PARTS, part))
      throw new WrongUsage(`--remove takes ${Object.keys(PARTS).join(', ')}; "${part}" is none of them.`);
    return [PARTS[part as keyof typeof PARTS], null] as const;
  });
  return {
    ...Object.fromEntries(removed),
    ...(displayName && { displayName: byLanguage(displayName) }),
    ...(logo !== undefined && { logo: { data: await contentOf(logo) } }),
    ...(accent !== undefined && { accentColor: accent }),
    ...(accentDark !== undefined && { accentColorDark: accentDark }),
    ...(afterConfirming !== undefined && { afterConfirming: afterConfirming.toUpperCase() }),
    ...(imprint && { imprintUrl: byLanguage(imprint) }),
    ...(privacy && { privacyUrl: byLanguage(privacy) }),
  };
}

const TAGGED = /^([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4})=(.*)$/;

/** A value without a language is the English one. Pages in other languages use it where it is the only one. */
const byLanguage = (texts: readonly string[]): ByLanguage =>
  Object.fromEntries(
    texts.map((text) => {
      const [, tag = 'en', said = text] = TAGGED.exec(text) ?? [];
      return [tag, said];
    }),
  );

async function contentOf(file: string): Promise<string> {
  try {
    return (await readFile(file)).toString('base64');
  } catch (error) {
    throw failed(
      'file_unreadable',
      `The logo ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      'Name a file that this user may read.',
    );
  }
}

function rowsOf({ displayName, logo, contrast, afterConfirming, imprintUrl, privacyUrl }: Brand): [string, string[]][] {
  const texts = (by: ByLanguage): string[] => {
    const lines = Object.entries(by).map(([language, text]) => `${language}: ${text}`);
    return lines.length > 0 ? lines : ['-'];
  };
  const measured = ({ color, textColor, text, page }: MeasuredColor): string =>
    `${color}, ${page}:1 to the page, text ${textColor} ${text}:1`;
  return [
    ['name', texts(displayName)],
    ['logo', [logo ? `${logo.mediaType}, ${logo.width} x ${logo.height}, ${logo.bytes} bytes` : '-']],
    ['accent', [contrast ? measured(contrast.light) : '-']],
    ['accent in the dark', [contrast ? measured(contrast.dark) : '-']],
    ['after confirming', [afterConfirming.toLowerCase()]],
    ['imprint', texts(imprintUrl)],
    ['privacy', texts(privacyUrl)],
  ];
}
