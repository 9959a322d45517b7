import { Option, type Command } from 'commander';
import { WrongUsage } from '../failure.js';

/** Options of `sites register` about strings of frameworks. */
export interface FrameworkOptions {
  tcfCmp?: { cmpId: number | null; cmpVersion: number | null };
  gppApproach?: string;
  gppUnsettledSections?: string;
  mspa?: string;
}

export function addFrameworkOptions(command: Command): void {
  command
    .option('--tcf-cmp <id/version>', 'consent tool as registered with IAB Europe, such as 300/4; none', parseCmp)
    .addOption(
      new Option(
        '--gpp-approach <which>',
        'section of GPP strings in the US: of the state, or the national one',
      ).choices(['state', 'national']),
    )
    .addOption(
      new Option('--gpp-unsettled-sections <whether>', 'GPP sections whose layout is still a draft').choices([
        'yes',
        'no',
      ]),
    )
    .addOption(
      new Option('--mspa <mode>', 'Multi-State Privacy Agreement that covers the site').choices([
        'none',
        'opt-out',
        'service-provider',
      ]),
    );
}

/** The part `frameworks` of a registration; undefined where nothing of it was named. */
export function frameworksNamed(options: FrameworkOptions): Record<string, unknown> | undefined {
  const { tcfCmp, gppApproach, gppUnsettledSections, mspa } = options;
  const gpp = {
    ...(gppApproach !== undefined && { approach: gppApproach.toUpperCase() }),
    ...(gppUnsettledSections !== undefined && { unsettledSections: gppUnsettledSections === 'yes' }),
    ...(mspa !== undefined && { mspa: mspaNamed(mspa) }),
  };
  const named = { ...(tcfCmp && { tcf: tcfCmp }), ...(Object.keys(gpp).length > 0 && { gpp }) };
  return Object.keys(named).length > 0 ? named : undefined;
}

const mspaNamed = (mode: string): Record<string, unknown> =>
  mode === 'none' ? { covered: false, mode: null } : { covered: true, mode: mode.toUpperCase().replace('-', '_') };

function parseCmp(text: string): FrameworkOptions['tcfCmp'] {
  if (text === 'none') return { cmpId: null, cmpVersion: null };
  const [, id, version] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (id === undefined)
    throw new WrongUsage(
      `A consent tool is its id and its version, such as 300/4; "${text}" is neither that nor none.`,
    );
  return { cmpId: Number(id), cmpVersion: Number(version) };
}
