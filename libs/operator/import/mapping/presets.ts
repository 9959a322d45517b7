import { parse } from 'yaml';
import { textBeside } from '../../../engines/text-beside.js';

/** Maps of files that other products export, by the name that `--map` takes. */
export const PRESETS: Readonly<Record<string, string>> = {
  onetrust: textBeside(import.meta.url, './presets/onetrust.yaml'),
  cookiebot: textBeside(import.meta.url, './presets/cookiebot.yaml'),
  usercentrics: textBeside(import.meta.url, './presets/usercentrics.yaml'),
  didomi: textBeside(import.meta.url, './presets/didomi.yaml'),
  c15t: textBeside(import.meta.url, './presets/c15t.yaml'),
};

export const presetNamed = (name: string): unknown => parse(PRESETS[name]!);
