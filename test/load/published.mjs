/**
 * What is published once a run has measured some of it: its rows in place of those of the same cases, and nothing old of a
 * part that it measured whole, or of one that is no more. In the order of the parts.
 *
 * @param {{ results?: object[], tables?: object[] }} before as it was published last; every row names its `part`
 * @param {{ results: object[], tables: object[] }} run
 * @param {{ name: string, isWhole: boolean }[]} parts all that there are, and which of them the run measured whole
 */
export function published({ results = [], tables = [] }, run, parts) {
  const places = new Map(parts.map(({ name }, place) => [name, place]));
  const whole = new Set(parts.filter(({ isWhole }) => isWhole).map(({ name }) => name));
  const together = (old, fresh, key) => {
    const stay = old.filter(({ part }) => places.has(part) && !whole.has(part));
    const rows = new Map([...stay, ...fresh].map((row) => [row[key], row]));
    return [...rows.values()].sort((a, b) => places.get(a.part) - places.get(b.part));
  };
  return { results: together(results, run.results, 'name'), tables: together(tables, run.tables, 'title') };
}
