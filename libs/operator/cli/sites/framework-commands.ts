import type { Command } from 'commander';
import type { ExplainedString } from '../../../consent-strings/index.js';
import { keyOptions } from '../options.js';
import type { KeyOptions } from '../server.js';
import type { Cell } from '../show.js';
import type { Surroundings } from '../surroundings.js';

interface ExplainOptions extends KeyOptions {
  subject?: string;
  country?: string;
  region?: string;
}

export function addFrameworkCommands(program: Command, { show, siteServer }: Surroundings): void {
  const explain = program
    .command('frameworks')
    .description('strings that ad tech reads')
    .command('explain <string>')
    .description(
      'say in words what a TC or GPP string says, and with --subject whether that is what holds today; exit code 1 where it is not',
    )
    .option('--subject <ref>', 'whose state it is compared with, such as user_id:4711')
    .option('--country <code>', 'country whose rule applies to that state')
    .option('--region <code>', 'region whose rule applies, such as US-CA');
  for (const option of keyOptions()) explain.addOption(option);
  explain.action(async (text: string, { key, keyFile, ...asked }: ExplainOptions) => {
    const server = await siteServer({ key, keyFile });
    const string = text.trim();
    const query = new URLSearchParams({ string });
    for (const name of ['subject', 'country', 'region'] as const)
      if (asked[name] !== undefined) query.set(name, asked[name]);
    const kind = string.startsWith('D') ? 'gpp' : 'tcstring';
    const explained = await server.get<ExplainedString>(`/v1/consent/${kind}/decode?${query}`);
    show.result(explained, () => inWords(explained));
    if (explained.matches === false) show.exitCode = 1;
  });

  function inWords({
    says,
    warnings,
    matches,
    differences,
    vendorListVersion,
    vendorListKnown,
  }: ExplainedString): void {
    show.table(
      ['PART', 'FIELD', 'VALUE', 'WHAT IT SAYS'],
      says.map(({ part, field, value, text, kind }): Cell[] =>
        kind === 'CONTEXT'
          ? [part, field, value, text].map((cell) => show.coloured('dim', cell))
          : [part, field, value, isSilent(text) ? show.coloured('dim', text) : show.coloured(colourOf(text), text)],
      ),
    );
    if (vendorListKnown === false)
      show.line(`\nVendor list ${vendorListVersion} was never in use here: names are not known.`);
    for (const warning of warnings) show.line(`${show.paint('yellow', 'against the rules:')} ${warning}`);
    if (matches === null) return;
    show.line('');
    if (matches) return show.line(show.paint('green', 'It says what holds today.'));
    show.line(show.paint('red', 'It does not say what holds today:'));
    show.table(
      ['PART', 'FIELD', 'SAID', 'HOLDS', 'DIFFERENCE'],
      differences.map(({ part, field, said, holds, text }) => [part, field ?? '', said ?? '', holds ?? '', text]),
    );
  }
}

const isSilent = (text: string): boolean => /does not apply|\bno vendor\b/.test(text);
/** Colours a permission green and a refusal red. */
const colourOf = (text: string): 'green' | 'red' =>
  /^(No|Not|Opted out|Notice of .* not given)\b/.test(text) ? 'red' : 'green';
