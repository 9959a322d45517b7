import type { ComponentChildren } from 'preact';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Numbers stand at the end of their column. */
  readonly isNumber?: boolean;
  /** A sentence: wide, and quieter. */
  readonly isText?: boolean;
  /** Buttons: at the end of the row, under a title for screen readers alone. */
  readonly isActs?: boolean;
}

/** A table of which a phone makes cards. The first column names the row. */
export function Table<T>(props: {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
}) {
  const [first, ...others] = props.columns;
  const classOf = ({ isNumber, isText, isActs }: Column<T>) =>
    isNumber ? 'num' : isText ? 'why' : isActs ? 'row-acts' : undefined;
  return (
    <table class="plain" aria-label={props.label}>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.isActs ? <span class="unseen">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={props.keyOf(row)}>
            <th scope="row">{first!.cell(row)}</th>
            {others.map((column) => (
              <td key={column.title} class={classOf(column)} data-title={column.isActs ? undefined : column.title}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
