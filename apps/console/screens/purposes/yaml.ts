/*
 * Writes a file of the catalogue as YAML, to be copied into a folder. Only that: what people edit here stays with the
 * service, and the package that also reads YAML is ten times the size of this screen's part.
 */

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Words that YAML takes for something else than a text, and texts that begin or hold a sign of its own. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n|~)$)[\p{L}_/][\p{L}\p{N} _./()+,;!?’“”„«»–…@=-]*$/iu;

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const scalar = (value: Json): string =>
  typeof value === 'string' && PLAIN.test(value) && !value.endsWith(' ') ? value : JSON.stringify(value);

function lines(value: Json): string[] {
  if (typeof value !== 'object' || value === null || isEmpty(value)) return [scalar(value)];
  if (isList(value)) return value.flatMap((each) => lines(each).map((line, n) => (n === 0 ? '- ' : '  ') + line));
  return Object.entries(value).flatMap(([name, each]) => {
    const inside = lines(each);
    const isNested = typeof each === 'object' && each !== null && !isEmpty(each);
    return isNested ? [`${scalar(name)}:`, ...inside.map((line) => `  ${line}`)] : [`${scalar(name)}: ${inside[0]!}`];
  });
}

export const asYaml = (file: unknown): string => `${lines(file as Json).join('\n')}\n`;
