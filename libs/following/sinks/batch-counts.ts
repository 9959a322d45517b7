import { withMembers } from '../../kernel/index.js';
import { ColumnArrays } from './column-arrays.js';
import type { Added } from '../projections/projection.js';
import { countsColumns, type CountedCells } from '../projections/read-table.js';

/** What the events of one batch add to the counts of a projection: each cell once, whatever the number of events. */
export class BatchCounts {
  private readonly cells = new Map<string, { cell: Added['cell']; numbers: Map<string, number> }>();
  private readonly names: readonly string[];

  constructor(private readonly counts: CountedCells) {
    this.names = Object.keys(counts.cell);
  }

  add({ cell, to, by }: Added): void {
    const name = this.names.map((column) => cell[column]).join('\n');
    let known = this.cells.get(name);
    if (!known) this.cells.set(name, (known = { cell, numbers: new Map() }));
    known.numbers.set(to, (known.numbers.get(to) ?? 0) + by);
  }

  get isEmpty(): boolean {
    return this.changed().length === 0;
  }

  /** One array per column of the table of counts. */
  get values(): unknown[] {
    const arrays = new ColumnArrays(countsColumns(this.counts));
    for (const { cell, numbers } of this.changed())
      arrays.add(
        withMembers(cell, Object.fromEntries(this.counts.of.map((name) => [name, BigInt(numbers.get(name) ?? 0)]))),
      );
    return arrays.values;
  }

  /** Without cells in which all was taken back again. */
  private changed() {
    return [...this.cells.values()].filter(({ numbers }) => [...numbers.values()].some((number) => number !== 0));
  }
}
