import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../../api/problem.js';
import type { components } from '../../api/schema.js';
import { Button, Chips } from '../../parts/button.js';
import { FormTrouble } from '../../parts/form.js';
import { Table } from '../../parts/table.js';
import { countryName, number, percent } from '../../words.js';
import { words as t } from './words.js';

type Part = components['schemas']['Simulation'];
type Impact = Part['impacts'][number];
const FIGURES = ['askAgain', 'becomeBlocked', 'becomeAllowed'] as const;
type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

interface Outcome {
  readonly subjects: number;
  /** How far the counting has come, from 0 to 1. */
  readonly share: number;
  readonly impacts: readonly Impact[];
}
const NOTHING: Outcome = { subjects: 0, share: 0, impacts: [] };

const sum = (impacts: readonly Impact[]): Figures => {
  const of = (name: (typeof FIGURES)[number]) => impacts.reduce((all, each) => all + each[name], 0);
  return { askAgain: of('askAgain'), becomeBlocked: of('becomeBlocked'), becomeAllowed: of('becomeAllowed') };
};

/**
 * Counts whom a publication would ask again, block or allow, before it happens. `ask` answers one part of the people; the
 * parts are added up, and what is counted so far is shown.
 */
export function Simulation({ ask }: { readonly ask: (cursor: string | undefined) => Promise<Part> }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const turn = useRef(0);
  useEffect(() => () => void (turn.current += 1), []);
  const run = async () => {
    const mine = (turn.current += 1);
    setProblem(null);
    let [so, cursor]: [Outcome, string | undefined] = [NOTHING, undefined];
    setOutcome(so);
    try {
      do {
        const part: Part = await ask(cursor);
        if (mine !== turn.current) return;
        so = { subjects: so.subjects + part.subjects, share: part.share, impacts: [...so.impacts, ...part.impacts] };
        cursor = part.nextCursor ?? undefined;
        setOutcome({ ...so, share: cursor === undefined ? 1 : Math.min(so.share, 0.99) });
      } while (cursor !== undefined);
    } catch (thrown) {
      const failed = Problem.from(thrown);
      if (mine !== turn.current) return;
      setProblem(failed);
      setOutcome(null);
    }
  };
  const isBusy = outcome !== null && outcome.share < 1;
  return (
    <div class="simulation">
      <FormTrouble problem={problem} />
      {!outcome && <p class="quiet">{t('simulation.lead')}</p>}
      <div class="acts">
        <Button icon="people" isBusy={isBusy} isOff={isBusy} onPress={() => void run()}>
          {t(outcome ? 'simulation.again' : 'simulation.run')}
        </Button>
      </div>
      <div aria-live="polite">{outcome && <Counted of={outcome} />}</div>
    </div>
  );
}

function Counted({ of }: { readonly of: Outcome }) {
  const [purpose, setPurpose] = useState('');
  const purposes = [...new Set(of.impacts.map((each) => each.purpose))].sort();
  const shown = purposes.includes(purpose) ? of.impacts.filter((each) => each.purpose === purpose) : of.impacts;
  const all = sum(shown);
  if (of.share < 1) return <p>{t('simulation.counting', { n: of.subjects, share: percent(of.share) })}</p>;
  return (
    <>
      <p>
        {t('simulation.counted', { n: of.subjects })}{' '}
        {FIGURES.every((name) => all[name] === 0) ? (
          <b>{t('simulation.nothing')}</b>
        ) : (
          FIGURES.map((name) => <b key={name}>{t(`simulation.${name}.sum`, { n: all[name] })} </b>)
        )}
      </p>
      {purposes.length > 1 && (
        <Chips
          label={t('simulation.purpose')}
          value={purposes.includes(purpose) ? purpose : ''}
          options={[['', t('simulation.all')] as const, ...purposes.map((key) => [key, key] as const)]}
          onPick={setPurpose}
        />
      )}
      {shown.length > 0 && <ByCountry impacts={shown} />}
    </>
  );
}

/** Bars that are a table: each figure with its bar, the most concerned country first. */
function ByCountry({ impacts }: { readonly impacts: readonly Impact[] }) {
  const countries = [...new Set(impacts.map(({ country }) => country))];
  const rows = countries
    .map((country) => ({ country, figures: sum(impacts.filter((each) => each.country === country)) }))
    .sort((a, b) => most(b.figures) - most(a.figures));
  const longest = Math.max(1, ...rows.flatMap(({ figures }) => FIGURES.map((name) => figures[name])));
  return (
    <Table
      label={t('simulation.table')}
      rows={rows}
      keyOf={({ country }) => country ?? ''}
      columns={[
        {
          title: t('simulation.country'),
          cell: ({ country }) => (country === null ? t('simulation.unknown') : countryName(country)),
        },
        ...FIGURES.map((name) => ({
          title: t(`simulation.${name}`),
          cell: ({ figures }: (typeof rows)[number]) => (
            <span class={`bar ${name}`}>
              <i style={{ inlineSize: `${(figures[name] / longest) * 100}%` }} />
              {number(figures[name])}
            </span>
          ),
        })),
      ]}
    />
  );
}
const most = (figures: Figures): number => Math.max(...FIGURES.map((name) => figures[name]));
