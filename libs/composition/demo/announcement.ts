import type { DemoSettings } from '../../operator/context.js';
import { curlLines } from './demo.js';

export interface Announced {
  url: string;
  hasConsole: boolean;
  hasOutbox: boolean;
  /** Where data are, in words. */
  data: string;
  /** Null where there is no demo site. */
  demo: DemoSettings | null;
  /** The portal of a person of the demo site, good once; null where there is none. */
  portalUrl: string | null;
  /** Of the first start; null where it works no longer. */
  operatorToken: string | null;
  /** Keys and tokens, and lines that hold them. */
  showsSecrets: boolean;
  /** Random id of a visitor, for the lines to paste. */
  visitor: string;
}

/**
 * Whether keys and tokens may be printed. Output that goes to no terminal ends in log files, so there they are printed at
 * the very first start only, when the operator cannot know them otherwise. In production they are not printed even then.
 */
export const showsSecrets = (start: { isFirst: boolean; toTerminal: boolean; nodeEnv: string | undefined }): boolean =>
  start.nodeEnv !== 'production' && (start.isFirst || start.toTerminal);

/** What a standalone process says once it takes requests. */
export function announcement({ url, hasConsole, hasOutbox, data, demo, operatorToken, ...about }: Announced): string {
  const lines = [
    '',
    `Assent is running at ${url}`,
    '',
    ...(hasConsole ? [`  ${url}/console       what people said, and why it may be used`] : []),
    ...(demo ? [`  ${url}/docs/banner   a page that asks, by one line`] : []),
    `  ${url}/docs/guides   how to build it in, run it and audit it`,
    '',
    `  health        ${url}/readyz`,
    ...(hasOutbox ? [`  mail          ${url}/outbox`] : []),
    `  data          ${data}`,
  ];
  if (!about.showsSecrets) {
    lines.push(
      ...(demo ? ['  demo keys     in demo.json of the data folder'] : []),
      '  operator      assent operator-tokens first',
      '',
    );
    return lines.join('\n').concat('\n');
  }
  if (demo) lines.push(`  public key    ${demo.publicKey}`, `  secret key    ${demo.secretKey}`);
  if (operatorToken !== null) lines.push(`  operator      ${operatorToken}`);
  if (about.portalUrl !== null) lines.push(`  portal        ${about.portalUrl}`);
  if (demo) lines.push('', 'Five lines to paste:', '', ...curlLines(demo, about.visitor), '');
  return [...lines, '', ''].join('\n');
}
