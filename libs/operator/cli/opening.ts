/** The commands that are called most, as one calls them, and what each answers. */
const OFTEN = [
  ['assent status', 'is it up, and what is late?'],
  ['assent doctor', 'is anything wrong, and what mends it?'],
  ['assent subjects show <ref>', 'what did they say, and what may be done?'],
  ['assent requests list', 'who asks for their data, and until when?'],
  ['assent catalogue diff <folder>', 'what would a change publish?'],
] as const;
const WIDTH = Math.max(...OFTEN.map(([call]) => call.length));

/** What the command says where it is called with nothing. */
export const OPENING = `What do you want to know or do?

${OFTEN.map(([call, question]) => `  ${call.padEnd(WIDTH)}  ${question}`).join('\n')}

All commands: assent --help. Each has --help with an example.
`;
