import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandBus } from '@nestjs/cqrs';
import { parseKey } from '../../access/context.js';
import type { KeyDirectory, Sites } from '../../access/index.js';
import type { ApplyCatalogueDto } from '../../catalogue/dto.js';
import { DOCUMENTS, readCatalogueFolder } from '../../catalogue/services.js';
import { ApplyCatalogue } from '../../catalogue/context.js';
import { isRefusal, Refused, type Clock, type Instant } from '../../kernel/index.js';
import type { DemoSettings } from '../../operator/context.js';
import { inRelease } from '../../engines/release-folder.js';
import { HISTORY_KEY } from './history/history-key.js';
import type { Infrastructure } from '../infrastructure/infrastructure.js';

export const DEMO_FOLDER = inRelease('apps/standalone/demo');
const SITE = 'demo';
const SCOPE = { site: SITE, env: 'test' } as const;
const APPLIED_WITHIN_MS = 5_000;
const BY = { actor: 'system:demo' };
/** Where many development servers listen. */
const OF_DEVELOPERS = 'http://localhost:3000';

interface Services {
  sites: Sites;
  keys: KeyDirectory;
  commands: CommandBus;
}

/**
 * Gives an installation a site to try: a catalogue, keys, origins. Every start adds what is missing. It issues new keys
 * only where the file with the old ones is gone, or where no folder is named for it. Changes that operators made to the
 * demo catalogue stay.
 */
export async function seedDemo(
  infrastructure: Infrastructure,
  { sites, keys, commands }: Services,
  where: { dataFolder: string | null; url: string; begins?: Instant | null },
): Promise<DemoSettings> {
  const file = where.dataFolder === null ? null : join(where.dataFolder, 'demo.json');
  await keys.ready(APPLIED_WITHIN_MS);
  const known = file === null ? null : await readDemo(file);
  const isNew = !keys.site(SITE);
  // What is made for a history stands at its beginning.
  const begins = isNew ? (where.begins ?? null) : null;
  const clock = begins === null ? undefined : (): Instant => begins;
  const then = clock ? sites.at(clock) : sites;
  if (isNew) {
    const settings = {
      name: 'Demo Shop',
      domains: ['demo.example'],
      languages: ['en', 'de'],
      defaultLocale: 'en',
      allowedOrigins: { test: [where.url, OF_DEVELOPERS], live: [] },
    };
    await applied(keys, await then.register(SITE, settings, BY));
  } else if (!keys.site(SITE)!.settings.allowedOrigins.test.includes(where.url)) {
    // Those that were added stay. That of the start before goes, or starts on ever other ports would fill the list.
    const former = known?.url ?? where.url;
    const remove = former === where.url || former === OF_DEVELOPERS ? [] : [former];
    await applied(keys, await sites.changeOrigins(SITE, { env: 'test', add: [where.url], remove }, BY));
  }
  await seedCatalogue(infrastructure, commands, clock);
  if (begins !== null) await issue(keys, then, 'sk', HISTORY_KEY);
  const isKnown = (key: string | undefined): key is string =>
    key !== undefined && keys.find(parseKey(key)?.id ?? '') !== undefined;
  const demo: DemoSettings = {
    url: where.url,
    site: SITE,
    publicKey: isKnown(known?.publicKey) ? known.publicKey : await issue(keys, then, 'pk'),
    secretKey: isKnown(known?.secretKey) ? known.secretKey : await issue(keys, then, 'sk'),
    operatorToken: await operatorTokenOf(infrastructure, known?.operatorToken),
    allowedOrigins: [...keys.site(SITE)!.settings.allowedOrigins.test],
  };
  if (file === null) return demo;
  await writeFile(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return demo;
}

/** The token of the file, as long as it works: an operator may have replaced the one of the first start. */
async function operatorTokenOf({ operators, master }: Infrastructure, known: string | undefined): Promise<string> {
  return known !== undefined && (await operators.verify(known)) !== null ? known : master.operatorToken();
}

/** Publishes what is not published yet: everything at the first start, later what a new release added. */
async function seedCatalogue({ catalogue }: Infrastructure, commands: CommandBus, clock?: Clock): Promise<void> {
  await catalogue.follower.ready(APPLIED_WITHIN_MS);
  const known = catalogue.of(SCOPE);
  const { files: _, ...folder } = await readCatalogueFolder(DEMO_FOLDER);
  const documents = DOCUMENTS.filter(({ name }) => folder[name] && !known.documents[name]);
  const missing: ApplyCatalogueDto = {
    ...Object.fromEntries(documents.map(({ name }) => [name, folder[name]])),
    purposes: folder.purposes.filter(({ key }) => !Object.hasOwn(known.purposes, key)),
  };
  if (missing.purposes.length === 0 && documents.length === 0) return;
  const applied = await commands.execute(new ApplyCatalogue(SCOPE, missing, BY, clock));
  if (isRefusal(applied)) throw new Refused(applied);
  if (applied.position !== null) await catalogue.reached(applied.position, APPLIED_WITHIN_MS);
}

async function readDemo(file: string): Promise<Partial<DemoSettings> | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<DemoSettings>;
  } catch {
    return null;
  }
}

async function issue(
  keys: KeyDirectory,
  sites: Sites,
  type: 'pk' | 'sk',
  name = type === 'pk' ? 'demo pages' : 'demo server',
): Promise<string> {
  const issued = await sites.issueKey(SITE, { type, env: 'test', name }, BY);
  await applied(keys, issued);
  return (issued as { text: string }).text;
}

async function applied(keys: KeyDirectory, done: Awaited<ReturnType<Sites['register']>>): Promise<void> {
  if (isRefusal(done)) throw new Error(`the demo site cannot be made: ${done.message}`);
  if (done.position !== null) await keys.waitFor(done.position, APPLIED_WITHIN_MS);
}

/** Five lines that work when pasted, in an order that tells a story. */
export function curlLines({ url, publicKey, secretKey }: DemoSettings, visitor: string): string[] {
  const subject = `visitor_id:${visitor}`;
  const path = `${url}/v1/subjects/${encodeURIComponent(subject)}`;
  return [
    `curl ${url}/v1/purposes -H 'Authorization: Bearer ${publicKey}'`,
    `curl ${url}/v1/consent -H 'Authorization: Bearer ${publicKey}' -H 'Content-Type: application/json' -H 'Idempotency-Key: first-${visitor.slice(0, 8)}' -d '{"subject":"${subject}","purpose":"analytics","decision":"GRANTED"}'`,
    `curl ${path}/consent -H 'Authorization: Bearer ${publicKey}'`,
    `curl ${url}/v1/consent/batch -H 'Authorization: Bearer ${publicKey}' -H 'Content-Type: application/json' -d '{"records":[{"subject":"${subject}","purpose":"analytics","decision":"WITHDRAWN"},{"subject":"${subject}","purpose":"marketing","decision":"DENIED"}]}'`,
    `curl ${path}/consent/history -H 'Authorization: Bearer ${secretKey}'`,
  ];
}
