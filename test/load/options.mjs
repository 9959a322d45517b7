import { parseArgs } from 'node:util';
import { CASES_OF_COSTS, COSTS } from './costs.mjs';

/** Rounds of a run that measures the costs and nothing else: it ends within ten minutes on two idle cores. */
const ROUNDS_OF_COSTS = 3;
/** Two sizes of one run: `full` is what is recorded and compared, `quick` shows in minutes where one stands. */
const SIZES = {
  full: {
    rounds: 5,
    seconds: 2,
    soak: 60,
    events: 5_000_000,
    starts: 3,
    lengths: [20, 2_000, 20_000, 200_000],
    streamRounds: 5,
    neighbourRounds: 8,
    neighbourSeconds: 5,
    leaves: 10_000_000,
    subjects: 1_000_000,
  },
  quick: {
    rounds: 3,
    seconds: 1,
    soak: 20,
    events: 500_000,
    starts: 3,
    lengths: [20, 2_000, 20_000],
    streamRounds: 3,
    neighbourRounds: 3,
    neighbourSeconds: 3,
    leaves: 1_000_000,
    subjects: 50_000,
  },
};

const ALL = 'all';

const HELP = (names) => `npm run bench -- [case ...] [options]

Without a case: what one of each thing costs, within ten minutes. Cases, of which "all" is every one but scale:
${names.map(({ name, title }) => `  ${name.padEnd(24)} ${title}`).join('\n')}

Options (full / quick):
  --quick           less of everything, in less time
  --check           end with 1 where a floor is missed
  --rounds <n>      windows of each rate, interleaved (${SIZES.full.rounds} / ${SIZES.quick.rounds})
  --seconds <n>     length of a window (${SIZES.full.seconds} / ${SIZES.quick.seconds})
  --soak <n>        seconds of mixed load for memory (${SIZES.full.soak} / ${SIZES.quick.soak})
  --events <n>      events in the log for start (${SIZES.full.events} / ${SIZES.quick.events})
  --leaves <n>      leaves of the tree that proofs are made in (${SIZES.full.leaves} / ${SIZES.quick.leaves})
  --lengths <n,n>   lengths of streams (${SIZES.full.lengths.join()} / ${SIZES.quick.lengths.join()})
  --subjects <n>    people that scale fills the log with (${SIZES.full.subjects} / ${SIZES.quick.subjects})
  --data <folder>   where scale keeps them; a folder that was filled before is used again
  --record          keep this run's numbers as the baseline of later ones, and publish them; the rest stays
  --profile         write a CPU profile of Assent to bench/profile-*/`;

/** What the command line asks for. Ends the process where it asks for help or for what is not there. */
export function readOptions(names) {
  const { values, positionals } = parse();
  if (values.help) {
    console.log(HELP(names));
    process.exit(0);
  }
  for (const wanted of positionals)
    if (wanted !== ALL && !names.some(({ name }) => name === wanted))
      end(`There is no case "${wanted}"; see npm run bench -- --help.`);
  if (values.quick && values.record) end('--record takes windows of full length; leave out --quick.');
  const named = positionals.length > 0 ? positionals : [COSTS.name];
  const all = named.includes(ALL);
  const costs = named.length === 1 && named[0] === COSTS.name ? { rounds: ROUNDS_OF_COSTS } : {};
  const size = values.quick ? SIZES.quick : { ...SIZES.full, ...costs };
  const number = (name) => {
    if (values[name] === undefined) return size[name];
    const value = Number(values[name]);
    return value > 0 ? value : end(`--${name} takes a number above 0, not "${values[name]}".`);
  };
  const inAll = all ? names.filter(({ isApart }) => !isApart).map(({ name }) => name) : [];
  const wants = new Set([...inAll, ...named]);
  if (wants.has(COSTS.name)) for (const name of CASES_OF_COSTS) wants.add(name);
  return {
    ...size,
    rounds: number('rounds'),
    seconds: number('seconds'),
    soak: number('soak'),
    events: number('events'),
    leaves: number('leaves'),
    subjects: number('subjects'),
    data: values.data ?? null,
    lengths: values.lengths?.split(',').map(Number) ?? size.lengths,
    wants: (name) => wants.has(name),
    /** A full run of all cases is published; single cases only where they are to be recorded. */
    complete: all && !values.quick,
    quick: values.quick === true,
    check: values.check === true,
    record: values.record === true,
    profile: values.profile === true,
  };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        soak: { type: 'string' },
        events: { type: 'string' },
        leaves: { type: 'string' },
        subjects: { type: 'string' },
        data: { type: 'string' },
        lengths: { type: 'string' },
        quick: { type: 'boolean' },
        check: { type: 'boolean' },
        record: { type: 'boolean' },
        profile: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    return end(error.message);
  }
}

function end(message) {
  console.error(message);
  process.exit(2);
}
