interface Row {
  part: string;
  name: string;
}
interface Table {
  part: string;
  title: string;
}
export function published<R extends Row, T extends Table>(
  before: { results?: readonly R[]; tables?: readonly T[] },
  run: { results: readonly R[]; tables: readonly T[] },
  parts: readonly { name: string; isWhole: boolean }[],
): { results: R[]; tables: T[] };
