import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { number, percent, wordsOf } from '../../words.js';
import { Button } from '../button.js';
import { Empty } from '../states.js';
import { Table } from '../table.js';
import { useBox, type Box } from './box.js';
import { isShown, type Figure, type Measure, type PlotTable } from './figures.js';
import { csvOf, saveCsv } from './save.js';
import table from './words.json';

export const plotWords = wordsOf(table);

/** A figure in words: `66.4 %`, `1,204`, `hidden`. */
export const figureText = (figure: Figure | undefined, measure: Measure): string =>
  isShown(figure) ? (measure === 'share' ? percent : number)(figure) : plotWords(figure ?? 'none');

export interface Plotted {
  /** What the plot is about. */
  readonly label: string;
  /** What it says, in a sentence with its figures. It stands above the plot. */
  readonly gist: string;
  /** Name of the file, without `.csv`. */
  readonly file: string;
}

/**
 * What stands around every plot: its gist, the drawing as one picture with a name, a line below, the same figures as a
 * table, and as a file. Where no figure is shown, it says why instead.
 */
export function PlotFrame(
  props: Plotted & {
    readonly table: PlotTable;
    /** Pixels, by the room that there is. */
    readonly heightOf: (box: Box) => number;
    readonly draw: (box: Box) => ComponentChildren;
    readonly legend?: ComponentChildren;
    readonly below?: ComponentChildren;
    readonly onPointer?: (x: number | null, box: Box) => void;
  },
) {
  const id = useId();
  const [element, box] = useBox();
  const figures = props.table.rows.flatMap((row) => row.figures);
  const state = figures.some(isShown) ? 'shown' : figures.includes('hidden') ? 'all.hidden' : 'nothing';
  return (
    <figure class="plot-frame" aria-labelledby={id}>
      <figcaption id={id}>{props.gist}</figcaption>
      {props.legend}
      <div class="plot-box" ref={element}>
        {state === 'shown' ? (
          box && <Drawing {...props} box={box} id={id} />
        ) : (
          <Empty icon="chart" title={plotWords(state)}>
            {plotWords(`${state}.why`)}
          </Empty>
        )}
      </div>
      {state === 'shown' && (
        <>
          {props.below && <p class="small plot-below">{props.below}</p>}
          <details class="plot-table">
            <summary>{plotWords('show.table')}</summary>
            <FigureTable {...props} />
            <Button icon="download" onPress={() => saveCsv(props.file, csvOf(props.table, plotWords('published')))}>
              {plotWords('save')}
            </Button>
          </details>
        </>
      )}
    </figure>
  );
}

function Drawing(props: Parameters<typeof PlotFrame>[0] & { readonly box: Box; readonly id: string }) {
  const { box, onPointer } = props;
  const height = props.heightOf(box);
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${box.width} ${height}`}
      role="img"
      aria-label={props.label}
      aria-describedby={props.id}
      {...(onPointer && {
        onPointerMove: (event: PointerEvent & { currentTarget: SVGElement }) => {
          const { left } = event.currentTarget.getBoundingClientRect();
          onPointer(event.clientX - left, box);
        },
        onPointerLeave: () => onPointer(null, box),
      })}
    >
      {props.draw(box)}
    </svg>
  );
}

function FigureTable({ label, table: { rowsAre, columns, rows } }: Plotted & { readonly table: PlotTable }) {
  const hasRemarks = rows.some(({ remark }) => remark !== undefined);
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { title: rowsAre, cell: ({ name }) => name },
        ...columns.map(({ title, measure }, i) => ({
          title,
          isNumber: true,
          cell: (row: (typeof rows)[number]) => {
            const text = figureText(row.figures[i], measure);
            return isShown(row.figures[i]) ? text : <span class="small">{text}</span>;
          },
        })),
        ...(hasRemarks
          ? [{ title: plotWords('published'), isText: true, cell: (row: (typeof rows)[number]) => row.remark }]
          : []),
      ]}
    />
  );
}
