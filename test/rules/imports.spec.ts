import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseOptions, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { forbidden, options } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as {
  forbidden: IForbiddenRuleType[];
  options: ICruiseOptions;
};

/** Files of `apps` and `libs`. Tests may import any file; of them only those are read that other files import. */
const programsOf = (folder: string): string[] =>
  ['apps', 'libs'].flatMap((room) =>
    readdirSync(join(folder, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|mjs|js)$/.test(path) && !/\.spec\.ts$/.test(path))
      .map((path) => join(room, path)),
  );

/** What the rules say about a folder with `apps` and `libs` in it: `rule: from → to`. */
async function violations(folder: string): Promise<string[]> {
  const { output } = await cruise(programsOf(folder), {
    ...options,
    baseDir: folder,
    ruleSet: { forbidden },
    validate: true,
  });
  return (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}

/** A small tree in which every rule is kept. */
const KEPT: Record<string, string> = {
  'package.json': JSON.stringify({
    type: 'module',
    dependencies: { ioredis: '1', nodemailer: '1', pg: '1', '@eventstore/db-client': '1', '@nestjs/common': '1' },
    devDependencies: { supertest: '1' },
  }),
  ...Object.fromEntries(
    ['ioredis', 'nodemailer', 'pg', '@eventstore/db-client', '@nestjs/common', 'supertest', 'forgotten'].flatMap(
      (name) => [
        [
          `node_modules/${name}/package.json`,
          JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js' }),
        ],
        [`node_modules/${name}/index.js`, 'export default {};'],
      ],
    ),
  ),
  'apps/standalone/main.ts': "import '../../libs/composition/standalone.js';",
  'apps/cli/main.ts': "import './print.js';\nimport '../../libs/client/index.js';",
  'apps/cli/print.ts': 'export {};',
  'apps/console/about.ts': 'export {};',
  'libs/kernel/index.ts': "import 'node:crypto';\nexport * from './instant.js';",
  'libs/kernel/instant.ts': 'export type Instant = string;',
  'libs/pages/html.ts': 'export const html = 1;',
  'libs/client/index.ts': 'export {};',
  'libs/elements/page.ts': "import '../client/index.js';",
  'libs/log/port.ts': "import '../kernel/index.js';\nexport interface EventLog { append(): void }",
  'libs/streams/codec.ts': "import '../log/port.js';\nexport const defineEvent = 1;",
  'libs/log/adapters/eventstoredb/eventstoredb.ts': "import '@eventstore/db-client';\nimport '../../port.js';",
  'libs/engines/database/database.ts': "import 'pg';\nimport 'node:fs';",
  'libs/following/consumer.ts': "import '../streams/codec.js';",
  'libs/vault/vault.ts': "import '../engines/database/database.js';",
  'libs/http/errors/errors.ts': 'export {};',
  'libs/deliveries/queue.ts': "import '../engines/database/database.js';",
  'libs/commands/once.ts': "import '../vault/vault.js';",
  'libs/engines/cache/redis.ts': "import 'ioredis';",
  'libs/engines/mail/smtp.ts': "import 'nodemailer';",
  'libs/engines/outbound/exchange.ts': "import 'node:https';",
  'libs/access/index.ts': 'export {};',
  'libs/access/access.module.ts': "import '@nestjs/common';",
  'libs/consent/events.ts':
    "import '../streams/codec.js';\nimport '../kernel/index.js';\nexport type ConsentEvent = 1;",
  'libs/consent/decide.ts':
    "import '../kernel/index.js';\nimport './events.js';\nimport './terms.js';\nimport '../subjects/index.js';",
  'libs/consent/terms.ts': 'export {};',
  'libs/consent/index.ts': "export * from './events.js';",
  'libs/consent/services.ts': "import type {} from './terms.js';",
  'libs/consent/write/module.ts': "import '@nestjs/common';\nimport './handler.js';",
  'libs/consent/write/handler.ts':
    "import '../decide.js';\nimport '../../log/port.js';\nimport '../../subjects/index.js';\nimport '../../subjects/services.js';",
  'libs/consent/read/module.ts': "import '@nestjs/common';\nimport './handler.js';",
  'libs/consent/read/handler.ts': "import '../events.js';\nimport '../../engines/database/database.js';",
  'libs/consent/context.ts':
    "import '../context/define-context.js';\nimport './events.js';\nimport './read/module.js';\nimport './write/module.js';",
  'libs/context/define-context.ts': "import '../streams/codec.js';",
  'libs/policy/look-up.ts': "import '../kernel/index.js';",
  'libs/webhooks/sender.ts': "import '../engines/outbound/exchange.js';",
  // A context that no rule names.
  'libs/notes/events.ts': "import '../streams/codec.js';",
  'libs/operator/engines.ts': "import '../log/port.js';\nimport '../subjects/index.js';",
  'libs/subjects/index.ts': "export * from './events.js';",
  'libs/subjects/events.ts': 'export type SubjectEvent = 1;',
  'libs/subjects/directory.ts': 'export {};',
  'libs/subjects/services.ts': "export * from './writer.js';",
  'libs/subjects/writer.ts': "import type {} from '../engines/database/database.js';",
  'libs/subjects/write/writer.ts': "import '../writer.js';",
  'libs/composition/standalone.ts':
    "import '../access/index.js';\nimport '../log/adapters/eventstoredb/eventstoredb.js';\nimport '../subjects/index.js';\nimport '../subjects/services.js';\nimport '../consent/context.js';\nimport '../operator/context.js';",
  'libs/operator/context.ts': "import './engines.js';",
  'test/support/world.ts': 'export {};',
};

/** What breaks each rule: a line added to a file of that tree. */
const BROKEN: [rule: string, file: string, line: string][] = [
  ['no cycles', 'libs/consent/events.ts', "import type {} from './decide.js';"],
  ['kernel stands alone', 'libs/kernel/instant.ts', "import 'node:fs';"],
  ['kernel stands alone', 'libs/kernel/instant.ts', "import type {} from '../log/port.js';"],
  ['kernel stands alone', 'libs/kernel/instant.ts', "import 'ioredis';"],
  ['decisions are pure', 'libs/consent/decide.ts', "import 'node:fs/promises';"],
  ['decisions are pure', 'libs/consent/decide.ts', "import '@nestjs/common';"],
  ['decisions are pure', 'libs/consent/decide.ts', "import '../log/adapters/eventstoredb/eventstoredb.js';"],
  ['decisions are pure', 'libs/consent/events.ts', "import '../engines/database/database.js';"],
  ['decisions are pure, through whatever they import', 'libs/consent/terms.ts', "import 'node:timers/promises';"],
  [
    'decisions are pure, through whatever they import',
    'libs/consent/terms.ts',
    "import '../engines/database/database.js';",
  ],
  ['contexts meet at the front door', 'libs/consent/write/handler.ts', "import '../../subjects/directory.js';"],
  ['contexts meet at the front door', 'libs/consent/write/handler.ts', "import '../../subjects/write/writer.js';"],
  ['contexts meet at the front door', 'libs/consent/write/handler.ts', "import type {} from '../../access/guard.js';"],
  ['contexts meet at the front door', 'libs/access/index.ts', "import '../subjects/events.js';"],
  ['contexts meet at the front door', 'libs/notes/events.ts', "import type {} from '../consent/decide.js';"],
  [
    'the composition knows of a context what it brings and shows',
    'libs/composition/standalone.ts',
    "import '../subjects/directory.js';",
  ],
  [
    'the composition knows of a context what it brings and shows',
    'libs/composition/standalone.ts',
    "import type {} from '../operator/engines.js';",
  ],
  ['services bring no modules', 'libs/consent/services.ts', "export * from './write/module.js';"],
  ['a front door shows types and views only', 'libs/consent/index.ts', "export * from './read/handler.js';"],
  ['writing never reads models', 'libs/consent/write/handler.ts', "import type {} from '../read/handler.js';"],
  ['reading never appends', 'libs/consent/read/handler.ts', "import '../write/handler.js';"],
  ['reading never appends', 'libs/consent/read/handler.ts', "import '../decide.js';"],
  [
    'adapters are named by their module only',
    'libs/consent/write/handler.ts',
    "import '../../log/adapters/eventstoredb/eventstoredb.js';",
  ],
  ['adapters are named by their module only', 'libs/log/port.ts', "import './adapters/eventstoredb/eventstoredb.js';"],
  ['no arrow runs up from kernel', 'libs/kernel/instant.ts', "import type {} from '../engines/database/database.js';"],
  ['no arrow runs up from engines', 'libs/engines/database/database.ts', "import '../../consent/index.js';"],
  ['no arrow runs up from engines', 'libs/engines/database/database.ts', "import '../../log/port.js';"],
  ['no arrow runs up from log', 'libs/log/port.ts', "import type {} from '../streams/codec.js';"],
  ['no arrow runs up from streams', 'libs/streams/codec.ts', "import type {} from '../following/consumer.js';"],
  ['no arrow runs up from following', 'libs/following/consumer.ts', "import type {} from '../vault/vault.js';"],
  ['no arrow runs up from vault', 'libs/vault/vault.ts', "import type {} from '../http/errors/errors.js';"],
  ['no arrow runs up from pages', 'libs/pages/html.ts', "import type {} from '../http/errors/errors.js';"],
  ['no arrow runs up from http', 'libs/http/errors/errors.ts', "import type {} from '../../deliveries/queue.js';"],
  ['no arrow runs up from deliveries', 'libs/deliveries/queue.ts', "import type {} from '../commands/once.js';"],
  ['no arrow runs up from commands', 'libs/commands/once.ts', "import type {} from '../context/define-context.js';"],
  ['no arrow runs up from access', 'libs/access/index.ts', "import type {} from '../subjects/index.js';"],
  ['no arrow runs up from contexts', 'libs/consent/write/handler.ts', "import '../../composition/standalone.js';"],
  ['no arrow runs up from contexts', 'libs/notes/events.ts', "import type {} from '../operator/engines.js';"],
  ['no arrow runs up from context', 'libs/context/define-context.ts', "import type {} from '../access/index.js';"],
  ['no arrow runs up from context', 'libs/context/define-context.ts', "import type {} from '../subjects/index.js';"],
  ['no arrow runs up from operator', 'libs/operator/engines.ts', "import '../composition/standalone.js';"],
  ['no arrow runs up from composition', 'libs/composition/standalone.ts', "import '../../apps/cli/print.js';"],
  [
    'subjects, catalogue and receipts know nothing of what is kept with their help',
    'libs/subjects/directory.ts',
    "import type {} from '../consent/index.js';",
  ],
  [
    'the law knows no site, no person and nothing that is kept',
    'libs/policy/look-up.ts',
    "import type {} from '../subjects/index.js';",
  ],
  ['only the composition reads what a context brings', 'libs/consent/write/handler.ts', "import '../context.js';"],
  [
    'only the composition puts modules together',
    'libs/consent/write/module.ts',
    "import '../../access/access.module.js';",
  ],
  ['apps only start what is composed', 'apps/cli/print.ts', "import '../../libs/engines/database/database.js';"],
  ['a process is its roles and nothing else', 'apps/standalone/main.ts', "import 'node:fs';"],
  ['the client stands alone', 'libs/client/index.ts', "import type {} from '../kernel/index.js';"],
  ['the elements know the client only', 'libs/elements/page.ts', "import type {} from '../kernel/index.js';"],
  [
    'the console knows the service by its address only',
    'apps/console/about.ts',
    "import type {} from '../../libs/kernel/index.js';",
  ],
  [
    'the console is for browsers only',
    'libs/http/errors/errors.ts',
    "import type {} from '../../../apps/console/about.js';",
  ],
  ['the elements are for pages only', 'libs/http/errors/errors.ts', "import type {} from '../../elements/page.js';"],
  ['the event-store client lives in one adapter', 'libs/log/port.ts', "import type {} from '@eventstore/db-client';"],
  ['Redis lives in one file', 'libs/consent/read/handler.ts', "import 'ioredis';"],
  ['OpenID Connect lives in one file', 'libs/consent/read/handler.ts', "import 'openid-client';"],
  ['SMTP lives in one file', 'libs/engines/database/database.ts', "import 'nodemailer';"],
  ['what steers a browser lives in one file', 'libs/operator/engines.ts', "import 'playwright-core';"],
  ['Postgres lives in one folder', 'libs/consent/read/handler.ts', "import 'pg';"],
  ['requests to hosts that others name live in one folder', 'libs/webhooks/sender.ts', "import 'node:https';"],
  ['what runs needs no test', 'libs/composition/standalone.ts', "import '../../test/support/world.js';"],
  ['what runs is installed where it runs', 'libs/composition/standalone.ts', "import 'supertest';"],
  ['what runs is installed where it runs', 'libs/composition/standalone.ts', "import 'forgotten';"],
  ['what runs is installed where it runs', 'libs/composition/standalone.ts', "import 'not-there';"],
];

/** A run of the checker takes a quarter of a second: each is for as many lines as stand in different files. */
const ROUNDS: (typeof BROKEN)[] = [];
for (const each of BROKEN) {
  const free = ROUNDS.find((round) => round.every(([, file]) => file !== each[1]));
  if (free) free.push(each);
  else ROUNDS.push([each]);
}

describe('files import what their place allows', () => {
  let found: string[];
  beforeAll(async () => {
    found = await violations(ROOT);
  });

  it.each(forbidden.map((rule) => rule.name!))('%s', (rule) => {
    expect(found.filter((violation) => violation.startsWith(`${rule}: `))).toEqual([]);
  });
});

describe('the import rules can fail', () => {
  let folder: string;
  const place = (file: string, content: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  };
  let kept: string[];
  /** What was found with a line in a file: by the pair of them. */
  const found = new Map<string, string[]>();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assent-imports-'));
    for (const [file, content] of Object.entries(KEPT)) place(file, content);
    place('libs/access/guard.ts', 'export {};');
    kept = await violations(folder);
    for (const round of ROUNDS) {
      for (const [, file, line] of round) place(file, `${line}\n${KEPT[file]}`);
      const broken = await violations(folder);
      for (const [, file, line] of round) {
        found.set(`${file} ${line}`, broken);
        place(file, KEPT[file]!);
      }
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('a tree that keeps them all breaks none', () => expect(kept).toEqual([]));

  it.each(BROKEN)('%s: %s with %s', (rule, file, line) => {
    const from = rule.includes('through whatever they import') ? 'libs/consent/decide.ts' : file;
    // The checker names a cycle by the file where it entered.
    const faulty = rule === 'no cycles' ? `${rule}: .*${file}` : `${rule}: ${from} → `;
    expect(found.get(`${file} ${line}`)).toContainEqual(expect.stringMatching(new RegExp(`^${faulty}`)));
  });

  it('none is left without a proof', () => {
    expect(forbidden.map((rule) => rule.name).filter((name) => !BROKEN.some(([rule]) => rule === name))).toEqual([]);
  });
});

/** What stands in a file decides here, not what it imports: the name at fault, or null. */
const SCANS: { rule: string; files: RegExp; fault: RegExp; kept: string; broken: string[] }[] = [
  {
    rule: "Nest's command and query bus, never its event bus: it forgets on a crash",
    files: /\.ts$/,
    fault:
      /import[^;]*\b(EventBus|EventsHandler|EventPublisher|AggregateRoot|Saga|IEventHandler)\b[^;]*from '@nestjs\/cqrs'|import \* as \w+ from '@nestjs\/cqrs'/,
    kept: "import { CommandBus } from '@nestjs/cqrs';\nimport { Saga } from './saga.js';",
    broken: [
      "import { CommandBus, EventBus } from '@nestjs/cqrs';",
      "import type {\n  AggregateRoot,\n} from '@nestjs/cqrs';",
      "import * as cqrs from '@nestjs/cqrs';",
    ],
  },
  {
    rule: 'reading never appends to the log',
    files: /\/read\/.*\.ts$/,
    fault: /\.append\(/,
    kept: 'await log.read(stream);',
    broken: ['await this.log.append(stream, events);'],
  },
];

/** More files than this beside each other are not read as one thing. Specs stand beside what they test and do not count. */
const FILES_MAX = 25;

/** Folders with more files than that, with how many. */
const overfull = (paths: readonly string[]): string[] => {
  const counts = new Map<string, number>();
  for (const path of paths)
    if (!/\.spec\.ts$/.test(path)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > FILES_MAX).map(([folder, count]) => `${folder}: ${count}`);
};

describe('folders can be read at one look', () => {
  const beside = (count: number, ending: string): string[] =>
    Array.from({ length: count }, (_, index) => `libs/consent/file-${index}${ending}`);

  it(`no folder of apps and libs holds more than ${FILES_MAX} files, specs apart`, () => {
    const files = ['apps', 'libs'].flatMap((room) =>
      readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    expect(overfull(files)).toEqual([]);
  });

  it('a folder with one more is found', () => {
    expect(overfull([...beside(FILES_MAX, '.ts'), ...beside(3, '.spec.ts')])).toEqual([]);
    expect(overfull(beside(FILES_MAX + 1, '.ts'))).toEqual([`libs/consent: ${FILES_MAX + 1}`]);
  });
});

describe('files say what their place allows', () => {
  const sources = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  it.each(SCANS)('$rule', ({ files, fault, kept, broken }) => {
    const faulty = sources.filter(
      (path) => files.test(path) && !/\.spec\.ts$/.test(path) && fault.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    expect(faulty).toEqual([]);
    expect(kept).not.toMatch(fault);
    for (const line of broken) expect(line).toMatch(fault);
  });
});
