import { words } from './test/rules/words.mjs';
import tseslint from 'typescript-eslint';

/** Where decisions are made: the same input gives the same output at any time and in any process. */
const PURE = ['libs/kernel/**/*.ts', 'libs/*/{events,state,decide,view,refusals}.ts'];
/** Rooms whose texts name who acts. A folder of test is added, as one line, once its texts are plain, and then stays. */
const PLAIN_ROOMS = ['apps', 'libs', 'test/rules'];
const SPECS = ['**/*.spec.ts', '**/*.contract.ts', 'test/**/*.ts'];

const IMPURE_MODULES =
  '^node:(?!crypto$|url$|buffer$|util$)|^(fs|net|http|https|os|child_process|timers|dns|worker_threads|process)(/|$)';

const IMPURE = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'A pure file reads no clock: take an Instant as an argument.',
  },
  {
    selector: ":matches(NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date'])",
    message: 'A pure file reads no clock: take an Instant as an argument.',
  },
  {
    selector: "MemberExpression[object.name='performance']",
    message: 'A pure file reads no clock: take an Instant as an argument.',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'A pure file throws no dice: take the random bytes as an argument.',
  },
  {
    selector: 'MemberExpression[object.name=/^(crypto|webcrypto)$/][property.name=/^random|^getRandom/]',
    message: 'A pure file throws no dice: take the random bytes as an argument.',
  },
  { selector: 'AwaitExpression', message: 'A pure file waits for nothing.' },
  { selector: ':function[async=true]', message: 'A pure file waits for nothing.' },
  { selector: 'ImportExpression', message: 'A pure file says at its top what it needs.' },
];

const IMPURE_GLOBALS = [
  'process',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'console',
  'globalThis',
].map((name) => ({ name, message: 'A pure file does no input or output and waits for nothing.' }));

const IMPURE_IMPORTS = {
  paths: [
    {
      name: 'node:crypto',
      allowImportNames: ['createHash', 'hash'],
      message: 'Of node:crypto only hashing is a pure function.',
    },
  ],
  patterns: [
    { regex: IMPURE_MODULES, message: 'A pure file does no input or output.' },
    {
      regex: '^@nestjs/|^typeorm$|^pg$|^ioredis$|^rxjs|^express$|^pino$',
      message: 'A pure file knows no framework and no engine.',
    },
  ],
};

/** A value is safe in an attribute that has quotes. Without them a space would end it. */
const UNQUOTED = {
  selector:
    "TaggedTemplateExpression[tag.name='html'] > TemplateLiteral > TemplateElement[tail=false][value.raw=/\\s[\\w-]+=$/]",
  message: 'Put quotes around the value of this attribute.',
};

/** Test suites that a rule would otherwise let shrink unseen. */
const FOCUSED = [
  {
    selector:
      'CallExpression MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo|failing)$/]',
    message: 'Every test runs: finish it, or remove it.',
  },
  {
    selector: 'CallExpression[callee.name=/^(fit|fdescribe|xit|xdescribe|xtest)$/]',
    message: 'Every test runs: finish it, or remove it.',
  },
];

/** A test that waits for ever says nothing: jest gives up on it, and it goes on beside the tests that follow. */
const ENDLESS = [
  'ForStatement[init=null][test=null]',
  'WhileStatement[test.value=true]',
  "WhileStatement:not([test.left.callee.object.name='Date']) > ExpressionStatement > AwaitExpression > CallExpression[callee.name='pause']",
  "WhileStatement:not([test.left.callee.object.name='Date']) > ExpressionStatement > AwaitExpression > NewExpression[callee.name='Promise']",
].map((selector) => ({
  selector,
  message: 'This may never end: bound it and say what was waited for, as `until` of test/support/timing.ts does.',
}));

const NO_EVENT_BUS = {
  name: '@nestjs/cqrs',
  importNames: ['EventBus', 'EventsHandler', 'EventPublisher', 'AggregateRoot', 'Saga', 'UnhandledExceptionBus'],
  message: "Nest's event bus lives in memory and forgets on a crash: events go through the log.",
};
const FEWER_DOORS = [
  { name: 'jest', message: "Import from '@jest/globals'." },
  { name: 'lodash', message: 'The language has it.' },
];

/** A name that says nothing attracts everything. */
const naming = {
  rules: {
    'file-name': {
      meta: {
        type: 'problem',
        schema: [],
        messages: { vague: '"{{name}}" says nothing about what is in the file: name it after the thing it is about.' },
      },
      create: (context) => ({
        Program(node) {
          const vague = /(^|[./-])(utils?|helpers?|common|managers?|misc|shared)(?=[./-])/i.exec(
            context.filename.slice(context.cwd.length),
          );
          if (vague) context.report({ node, messageId: 'vague', data: { name: vague[2] } });
        },
      }),
    },
  },
};

export default [
  { ignores: ['dist/**', 'node_modules/**', 'coverage/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx,mjs,cjs,js}'],
    plugins: { assent: { rules: { ...naming.rules, words } } },
    rules: {
      'assent/file-name': 'error',
      eqeqeq: ['error', 'always'],
      'no-var': 'error',
      'prefer-const': 'error',
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-constant-binary-expression': 'error',
      'no-control-regex': 'error',
      'no-debugger': 'error',
      'no-dupe-else-if': 'error',
      'no-duplicate-case': 'error',
      'no-empty': 'error',
      'no-empty-character-class': 'error',
      'no-eval': 'error',
      'no-fallthrough': 'error',
      'no-implied-eval': 'error',
      'no-loss-of-precision': 'error',
      'no-misleading-character-class': 'error',
      'no-new-wrappers': 'error',
      'no-prototype-builtins': 'error',
      'no-self-assign': 'error',
      'no-self-compare': 'error',
      'no-sparse-arrays': 'error',
      'no-template-curly-in-string': 'error',
      'no-unsafe-finally': 'error',
      'no-unsafe-optional-chaining': 'error',
      'no-useless-catch': 'error',
      'no-useless-escape': 'error',
      'no-with': 'error',
      'require-yield': 'error',
      'use-isnan': 'error',
      'valid-typeof': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      // What runs in pages only is compiled with the types of browsers.
      parserOptions: {
        project: ['./test/tsconfig.json', './libs/elements/tsconfig.json', './apps/console/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-array-delete': 'error',
      '@typescript-eslint/no-duplicate-type-constituents': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-for-in-array': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-require-imports': 'error',
      '@typescript-eslint/no-unsafe-argument': 'error',
      '@typescript-eslint/no-unsafe-assignment': 'error',
      '@typescript-eslint/no-unsafe-call': 'error',
      '@typescript-eslint/no-unsafe-member-access': 'error',
      '@typescript-eslint/no-unsafe-return': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_+$' }],
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingUnknown: true, allowThrowingAny: true },
      ],
      '@typescript-eslint/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
      '@typescript-eslint/restrict-plus-operands': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/unbound-method': 'error',
      'no-restricted-imports': ['error', { paths: [NO_EVENT_BUS, ...FEWER_DOORS] }],
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'It errs in Node.js 20: use parseUrl of the kernel.' },
      ],
    },
  },
  {
    files: PLAIN_ROOMS.map((room) => `${room}/**/*.{ts,tsx,mjs,cjs}`),
    // Generated from the texts of all rooms.
    ignores: ['libs/client/generated/**'],
    rules: { 'assent/words': 'error' },
  },
  { files: ['libs/**/*.ts'], rules: { 'no-restricted-syntax': ['error', UNQUOTED] } },
  {
    files: PURE,
    ignores: SPECS,
    rules: {
      'no-restricted-syntax': ['error', ...IMPURE],
      'no-restricted-globals': ['error', ...IMPURE_GLOBALS],
      'no-restricted-imports': [
        'error',
        { ...IMPURE_IMPORTS, paths: [...IMPURE_IMPORTS.paths, NO_EVENT_BUS, ...FEWER_DOORS] },
      ],
    },
  },
  {
    files: SPECS,
    ignores: ['test/support/**'],
    rules: {
      // A promise that outlives its test fails another one, minutes later.
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
    },
  },
  {
    files: SPECS,
    rules: {
      'no-restricted-syntax': ['error', ...FOCUSED, ...ENDLESS],
      // A test takes JSON answers apart; the assertion is the check.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
];
