import type { Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command as a shell completes it. */
interface Place {
  /** Names from below the program down to it: `sites origins`. Empty: the program itself. */
  path: string;
  words: { text: string; description: string }[];
  options: CompletedOption[];
}

interface CompletedOption {
  long: string;
  description: string;
  takesValue: boolean;
  /** What it can be; empty: anything, such as a file. */
  choices: readonly string[];
}

/** A script for a shell that completes commands, options and their values, as they are in this release. */
export function completionScript(shell: Shell, program: Command): string {
  const places = placesOf(program, []);
  return { bash, zsh, fish }[shell](places);
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  const below = command.commands.filter((each) => each.name() !== 'help');
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  const here: Place = {
    path: path.join(' '),
    words: [
      ...below.map((each) => ({ text: each.name(), description: firstClause(each.description()) })),
      ...choices.map((text) => ({ text, description: '' })),
    ],
    options: [
      ...command.options.map(optionOf),
      { long: '--help', description: 'how it is called', takesValue: false, choices: [] },
    ],
  };
  return [here, ...below.flatMap((each) => placesOf(each, [...path, each.name()]))];
}

const optionOf = ({ long, description, required, optional, argChoices = [] }: Option): CompletedOption => ({
  long: long!,
  description: firstClause(description),
  takesValue: required || optional,
  choices: argChoices,
});

const firstClause = (text: string): string => text.split(/[;:,]/)[0]!;

/** In single quotes, where every shell takes everything but a single quote as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const inFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const takingValues = (places: readonly Place[]): string[] => [
  ...new Set(places.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).map(({ long }) => long))),
];
const childrenOf = (places: readonly Place[]): string[] => places.map(({ path }) => path).filter((path) => path !== '');

/** What `${path} ${word}` has to be for `word` to be a command below `path`. */
const steps = (places: readonly Place[]): string => childrenOf(places).map(quoted).join(' | ');

/** Shared by bash and zsh, whose languages agree this far: finds `path`, skipping options with their values. */
const walk = (places: readonly Place[], words: string): string => `  local place='' skip='' word
  for word in ${words}; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${takingValues(places).join(' | ')}) skip=1; continue ;;
      -*) continue ;;
    esac
    case "\${place:+$place }$word" in
      ${steps(places)}) place="\${place:+$place }$word" ;;
    esac
  done`;

/** Each option with a closed set of values, at each command that has it. */
const closedValues = (places: readonly Place[]): { path: string; long: string; choices: readonly string[] }[] =>
  places.flatMap(({ path, options }) =>
    options.filter(({ choices }) => choices.length > 0).map(({ long, choices }) => ({ path, long, choices })),
  );

const bash = (places: readonly Place[]): string => `# Completion of assent for bash: source <(assent completion bash)
_assent() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
${walk(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  COMPREPLY=()
  local words=''
  case "$place $previous" in
${closedValues(places)
  .map(({ path, long, choices }) => `    ${quoted(`${path} ${long}`)}) words=${quoted(choices.join(' '))} ;;`)
  .join('\n')}
    *' '${takingValues(places).join(" | *' '")}) return ;;
    *)
      case "$place" in
${places
  .map(
    ({ path, words, options }) =>
      `        ${quoted(path)}) words=${quoted([...words.map(({ text }) => text), ...options.map(({ long }) => long)].join(' '))} ;;`,
  )
  .join('\n')}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# As it is called in a checkout: npx assent.
_assent_npx() {
  COMPREPLY=()
  [[ COMP_CWORD -gt 1 && \${COMP_WORDS[1]} == assent ]] || return 0
  local COMP_CWORD=$((COMP_CWORD - 1)) COMP_WORDS=("\${COMP_WORDS[@]:1}")
  _assent
}
# Where nothing fits, files do.
complete -o default -F _assent assent
complete -o default -F _assent_npx npx
`;

const zsh = (places: readonly Place[]): string => `#compdef assent npx
# Completion of assent for zsh: source <(assent completion zsh), or as a file _assent in a folder of $fpath
_assent() {
  # As it is called in a checkout: npx assent.
  if [[ "\${words[1]}" = npx ]]; then
    if (( CURRENT < 3 )) || [[ "\${words[2]}" != assent ]]; then _files; return; fi
    shift words
    (( CURRENT-- ))
  fi
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}"
${walk(places, `"\${(@)words[2,CURRENT-1]}"`)}
  local -a found
  case "$place $previous" in
${closedValues(places)
  .map(
    ({ path, long, choices }) =>
      `    ${quoted(`${path} ${long}`)}) compadd -- ${choices.map(quoted).join(' ')}; return ;;`,
  )
  .join('\n')}
    *' '${takingValues(places).join(" | *' '")}) _files; return ;;
  esac
  case "$place" in
${places
  .map(
    ({ path, words, options }) =>
      `    ${quoted(path)}) found=(${[...words, ...options.map(({ long, description }) => ({ text: long, description }))].map(described).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe assent found || _files
}
if [[ "\${funcstack[1]}" = _assent ]]; then _assent "$@"; else compdef _assent assent npx; fi
`;

const described = ({ text, description }: { text: string; description: string }): string =>
  quoted(`${text.replaceAll(':', '\\:')}${description && `:${description}`}`);

const fish = (places: readonly Place[]): string => `# Completion of assent for fish: assent completion fish | source
function __assent_path
    set -l place ''
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${takingValues(places).join(' ')}
                set skip 1
                continue
            case '-*'
                continue
        end
        switch (string trim -- "$place $word")
            case ${childrenOf(places).map(inFish).join(' ')}
                set place (string trim -- "$place $word")
        end
    end
    echo $place
end
${places
  .flatMap(({ path, words, options }) => {
    const here = `complete -c assent -n ${inFish(`test (__assent_path) = "${path}"`)}`;
    const described = (description: string): string => (description === '' ? '' : ` -d ${inFish(description)}`);
    return [
      ...words.map(({ text, description }) => `${here} -f -a ${inFish(text)}${described(description)}`),
      ...options.map(({ long, description, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${inFish(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `${here} -l ${long.slice(2)}${value}${described(description)}`;
      }),
    ];
  })
  .join('\n')}
# As it is called in a checkout: npx assent.
complete -c npx -n '__fish_seen_subcommand_from assent' -f -a ${inFish("(complete -C (string replace -r '^\\s*npx\\s+' '' -- (commandline -cp)))")}
`;
