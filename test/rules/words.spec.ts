import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';
// @ts-expect-error Plain JavaScript, like the configuration that reads it.
import { words } from './words.mjs';

const linter = new Linter();

/** What the rule says of a file: `line: message`, each message up to its colon. */
const said = (code: string, filename = 'libs/kernel/thing.ts'): string[] =>
  linter
    .verify(
      code,
      [
        {
          files: ['**/*.ts'],
          languageOptions: { parser },
          plugins: { assent: { rules: { words } } },
          rules: { 'assent/words': 'error' },
        },
      ],
      filename,
    )
    .map(({ line, message }) => `${line}: ${message.split(':')[0]}`);

describe('the rule about words', () => {
  it.each([
    ['a line comment', '// Nobody waits.', ['1: "Nobody"']],
    ['a doc comment, at its line', '/**\n * Runs, and then\n * somebody is told.\n */', ['3: "somebody"', '3: "told"']],
    ['a message', "throw new Error('whoever asked is gone');", ['1: "whoever"']],
    ['a message with a value in it', 'export const why = (n: number) => `someone took $' + '{n}`;', ['1: "someone"']],
    ['an exported constant', 'export const toldMaster = 1;', ['1: "toldMaster" says "told"']],
    ['an exported type', 'export interface KeyOfNobody { key: string }', ['1: "KeyOfNobody" says "Nobody"']],
    ['a name that a list exports', 'const a = 1;\nexport { a as NOBODY_ASKED };', ['2: "NOBODY_ASKED" says "NOBODY"']],
  ])('reports %s', (_, code, messages) => expect(said(code)).toEqual(messages));

  it('reports the name of a file', () =>
    expect(said('export {};', 'libs/kernel/whoever-asks.ts')).toEqual(['1: "whoever-asks.ts" says "whoever"']));

  it.each([
    ['a sentence with an actor', '// The caller waits until the projector has read the event.'],
    ['what is quoted', '// The system has a user `nobody`.'],
    ['a key or a name', "export const user = 'nobody';"],
    ['a name of the file itself', 'let told = false;'],
    ['a part of another word', '// Untold is another word, and so is toldness.'],
  ])('lets %s pass', (_, code) => expect(said(code)).toEqual([]));

  it('reads the comments of a spec, and not the titles of its tests', () =>
    expect(said("// somebody\nit('is nobody here', () => {});", 'libs/kernel/thing.spec.ts')).toEqual([
      '1: "somebody"',
    ]));
});
