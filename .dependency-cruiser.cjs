// Which file may import which. Each rule is a sentence; test/rules/imports.spec.ts runs them and proves that each can fail.

/** Rooms that are no contexts. Every other folder of libs is one: a new context needs no change here. */
const GROUND =
  'kernel|engines|log|streams|following|vault|pages|http|deliveries|commands|context|access|operator|composition|client|elements';
const CONTEXT = `(?!(?:${GROUND})/)[^/]+`;
const PURE_FILES = '^libs/[^/]+/(events|state|decide|view|refusals)\\.ts$';
/** Of Node's own modules those that only compute; of node:crypto the linter lets pass only what does. */
const COMPUTING = '^(node:)?(crypto|url|zlib|buffer|util)$';
/** Numbering plans of the world and what follows from them: a package that only computes, like those of Node. */
const PLANS = 'node_modules/libphonenumber-js/';
const SPECS = '\\.(spec|contract)\\.ts$';

/** A package that is a door to the world, and the one place that opens it: a file, a folder or the files of one adapter. */
const doors = {
  'the event-store client lives in one adapter': ['@eventstore/db-client', '^libs/log/adapters/eventstoredb/'],
  'Redis lives in one file': ['ioredis', '^libs/engines/cache/redis\\.ts$'],
  'OpenID Connect lives in one file': ['openid-client', '^libs/access/oidc/provider\\.ts$'],
  'SMTP lives in one file': ['nodemailer', '^libs/engines/mail/smtp\\.ts$'],
  'what steers a browser lives in one file': ['playwright-core', '^libs/operator/scan/scan-browser\\.ts$'],
  'Postgres lives in one folder': ['pg', '^libs/engines/database/'],
  'requests to hosts that others name live in one folder': ['(node:)?https', '^libs/engines/outbound/'],
};

/** The rooms, from the ground up: each knows those below it and none above. */
const LAYERS = {
  kernel: '^libs/kernel/',
  engines: '^libs/engines/',
  log: '^libs/log/',
  streams: '^libs/streams/',
  following: '^libs/following/',
  vault: '^libs/vault/',
  pages: '^libs/pages/',
  http: '^libs/http/',
  deliveries: '^libs/deliveries/',
  commands: '^libs/commands/',
  context: '^libs/context/',
  access: '^libs/access/',
  contexts: `^libs/${CONTEXT}/`,
  operator: '^libs/operator/',
  composition: '^libs/composition/',
  apps: '^apps/',
};
const layers = Object.entries(LAYERS);

const sentences = [
  { name: 'no cycles', from: {}, to: { circular: true } },
  {
    name: 'kernel stands alone',
    from: { path: '^libs/kernel/' },
    to: { pathNot: ['^libs/kernel/', COMPUTING, PLANS] },
  },
  {
    name: 'decisions are pure',
    comment:
      'They import the kernel, how an event is declared, and plain files of their own context or the front door of another.',
    from: { path: PURE_FILES },
    to: {
      pathNot: [
        '^libs/kernel/index\\.ts$',
        '^libs/streams/codec\\.ts$',
        '^libs/[^/]+/[^/]+\\.ts$',
        `^libs/(${CONTEXT}|access)/[^/]+/[^/]+\\.ts$`,
        COMPUTING,
      ],
    },
  },
  {
    name: 'decisions are pure, through whatever they import',
    from: { path: ['^libs/kernel/', PURE_FILES] },
    to: {
      reachable: true,
      path: [
        '^(node:)?(fs|net|http|https|http2|tls|dgram|dns|os|child_process|timers|worker_threads|cluster|readline|process)(/|$)',
        '^libs/(engines|vault|http|deliveries|commands)/',
        '^libs/(log/adapters|following/(?!projections/)|following/projections/projector)',
        '^libs/streams/stream\\.ts$',
        '/(write|read)/',
        `^(?!.*${PLANS}).*node_modules/`,
      ],
    },
  },
  {
    name: 'contexts meet at the front door',
    comment:
      'Every context has three doors. Decisions pass index.ts, so it shows only what is pure: events, folds, views and words. dto.ts shows fields of requests and answers. services.ts shows what the context does for others: types, injection tokens, and functions that read files or requests.',
    from: { path: '^libs/([^/]+)/', pathNot: '^libs/composition/' },
    to: {
      path: [`^libs/${CONTEXT}/`, '^libs/access/'],
      pathNot: ['^libs/$1/', '^libs/[^/]+/(index|dto|services)\\.ts$'],
    },
  },
  {
    name: 'the composition knows of a context what it brings and shows',
    comment: 'What only the composition uses of a context stands in its context.ts too.',
    from: { path: '^libs/composition/' },
    to: {
      path: [`^libs/${CONTEXT}/`, '^libs/(access|operator)/'],
      pathNot: ['^libs/[^/]+/(context|index|dto|services)\\.ts$'],
    },
  },
  {
    name: 'a front door shows types and views only',
    from: { path: `^libs/${CONTEXT}/index\\.ts$` },
    to: { path: ['/(write|read)/', 'module\\.ts$', 'controller\\.ts$', 'node_modules/'] },
  },
  {
    name: 'services bring no modules',
    from: { path: '^libs/[^/]+/services\\.ts$' },
    to: { path: ['module\\.ts$', 'controller\\.ts$'] },
  },
  { name: 'writing never reads models', from: { path: '/write/' }, to: { path: '/read/' } },
  { name: 'reading never appends', from: { path: '/read/' }, to: { path: ['/write/', '/decide\\.ts$'] } },
  {
    name: 'adapters are named by their module only',
    from: { path: '^(libs|apps)/', pathNot: ['^libs/composition/', '^libs/log/adapters/'] },
    to: { path: '^libs/log/adapters/' },
  },
  ...layers
    .slice(0, -1)
    .map(([name, path], i) => ({
      name: `no arrow runs up from ${name}`,
      from: { path },
      to: { path: layers.slice(i + 1).map(([, above]) => above) },
    })),
  {
    name: 'subjects, catalogue and receipts know nothing of what is kept with their help',
    comment:
      'The law is no such thing and knows nothing of them: a banner is measured against it, sites change its rules in the catalogue, and a country is one wherever it is sent.',
    from: { path: '^libs/(subjects|catalogue|receipts)/' },
    to: { path: `^libs/${CONTEXT}/`, pathNot: '^libs/(subjects|catalogue|receipts|policy)/' },
  },
  {
    name: 'the law knows no site, no person and nothing that is kept',
    from: { path: '^libs/policy/' },
    to: { path: `^libs/${CONTEXT}/`, pathNot: '^libs/policy/' },
  },
  {
    name: 'only the composition reads what a context brings',
    from: { path: '^(libs|apps)/', pathNot: '^libs/composition/' },
    to: { path: '^libs/[^/]+/context\\.ts$' },
  },
  {
    name: 'only the composition puts modules together',
    from: { path: '^libs/([^/]+)/', pathNot: '^libs/composition/' },
    to: { path: '(^|[/.])module\\.ts$', pathNot: ['^libs/$1/', 'node_modules/'] },
  },
  {
    name: 'apps only start what is composed',
    from: { path: '^apps/' },
    to: { path: '^libs/', pathNot: '^libs/(composition|client)/' },
  },
  {
    name: 'a process is its roles and nothing else',
    from: { path: '^apps/(?!cli/)[^/]+/main\\.ts$' },
    to: { pathNot: '^libs/composition/' },
  },
  {
    name: 'the client stands alone',
    from: { path: '^libs/client/' },
    to: { path: '^(libs|apps)/', pathNot: '^libs/client/' },
  },
  {
    name: 'the elements know the client only',
    from: { path: '^libs/elements/' },
    to: { path: '^(libs|apps)/', pathNot: '^libs/(elements|client)/' },
  },
  {
    name: 'the elements are for pages only',
    from: { path: '^(libs|apps)/', pathNot: '^libs/elements/' },
    to: { path: '^libs/elements/' },
  },
  {
    name: 'the console knows the service by its address only',
    from: { path: '^apps/console/' },
    to: { path: '^(libs|apps)/', pathNot: '^apps/console/' },
  },
  {
    name: 'the console is for browsers only',
    from: { path: '^(libs|apps)/', pathNot: '^apps/console/' },
    to: { path: '^apps/console/' },
  },
  ...Object.entries(doors).map(([name, [door, place]]) => ({
    name,
    from: { path: '^(libs|apps)/', pathNot: place },
    to: { path: [`(^|/)node_modules/${door}/`, `^${door}$`] },
  })),
  { name: 'what runs needs no test', from: { path: '^(libs|apps)/' }, to: { path: ['^test/', SPECS] } },
  {
    name: 'what runs is installed where it runs',
    comment:
      'The client has a package.json of its own, which names no dependency: tweetnacl is built into what is published. Its examples are programs of others, who install what they need. The words of the elements are made when they are bundled. The console is bundled with all that it needs.',
    from: {
      path: '^(libs|apps)/',
      pathNot: [
        '^libs/client/receipts/tweetnacl\\.ts$',
        '^libs/client/examples/',
        '^libs/elements/preferences/words\\.ts$',
        '^apps/console/',
      ],
    },
    to: {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
      dependencyTypesNot: ['type-only'],
    },
  },
];

/** Tests look wherever they must. */
const exceptSpecs = (from) => ({ ...from, pathNot: [SPECS, ...[from.pathNot ?? []].flat()] });

module.exports = {
  forbidden: sentences.map((sentence) => ({ ...sentence, severity: 'error', from: exceptSpecs(sentence.from) })),
  options: {
    doNotFollow: { path: ['node_modules', '^dist/'] },
    // What is imported for its type alone is known all the same.
    tsPreCompilationDeps: true,
    moduleSystems: ['es6', 'cjs'],
    combinedDependencies: false,
    enhancedResolveOptions: {
      // Each of them is looked for at every import, ours and those of packages.
      extensions: ['.ts', '.js', '.mjs', '.d.ts', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
