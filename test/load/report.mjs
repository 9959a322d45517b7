const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const number = (value, digits = 0) =>
  value === null || !Number.isFinite(value) ? '' : digits === 0 ? whole.format(value) : value.toFixed(digits);
const ratio = (value) => (value >= 0.1 ? value.toFixed(3) : value.toFixed(4));
const percent = (value) => `${(value * 100).toFixed(0)} %`;

/**
 * Of all windows of a case the best: what else runs on a machine only ever takes away. `spread` is how far the windows
 * lay apart, (best - worst) / best.
 */
export function summarise(cases, windows) {
  const best = (name) => windows[name].reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
  const raw = best('raw').perSecond;
  return cases
    .filter(({ name }) => windows[name])
    .map((one) => {
      const window = best(one.name);
      const worst = Math.min(...windows[one.name].map(({ perSecond }) => perSecond));
      const result = { ...one, ...window, ratio: window.perSecond / raw, spread: 1 - worst / window.perSecond };
      if (one.each) result.itemsPerSecond = window.perSecond * one.each;
      if (one.floor !== undefined) result.met = result.ratio >= one.floor;
      if (one.least !== undefined) result.met = window.perSecond >= one.least;
      return result;
    });
}

function floorOf({ floor, least, met }) {
  if (met === undefined) return '';
  const wanted = floor === undefined ? `${number(least)}/s` : ratio(floor);
  return `${wanted} ${met ? 'met' : 'MISSED'}`;
}

const perSecond = ({ perSecond: rate, unit, each, itemsPerSecond }) =>
  each ? `${number(rate)} (${number(itemsPerSecond)} ${unit})` : `${number(rate)}${unit ? ` ${unit}` : ''}`;

/** One Markdown table; in the last columns the recorded ratio, and what is left of it now. */
export function table(results, baseline) {
  const head = [
    'case',
    'per second',
    'ratio to raw',
    'floor',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'Postgres CPU µs',
    'RSS MB',
    'spread',
    'recorded ratio',
    'now / then',
  ];
  const rows = results.map((result) => {
    const then = baseline?.ratios[result.name];
    return [
      result.title,
      perSecond(result),
      ratio(result.ratio),
      floorOf(result),
      number(result.p50Ms, 2),
      number(result.p99Ms, 1),
      number(result.cpuUs, 1),
      result.server === 'assent' || result.server === 'log' ? number(result.postgresCpuUs, 1) : '',
      number(result.rssMb),
      percent(result.spread),
      then === undefined ? '' : ratio(then),
      then === undefined ? '' : (result.ratio / then).toFixed(2),
    ];
  });
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

/** Memory over a soak: the mean of its second quarter, when caches have warmed up, against that of its last. */
export function flatness(rssMb) {
  const mean = (from, to) => {
    const part = rssMb.slice(Math.floor(rssMb.length * from), Math.ceil(rssMb.length * to));
    return part.reduce((sum, mb) => sum + mb, 0) / part.length;
  };
  return { early: mean(0.25, 0.5), late: mean(0.75, 1), most: Math.max(...rssMb) };
}

export const soakLine = ({ seconds, perSecond: rate, p50Ms, p99Ms, early, late, most, limitMb }) =>
  `Soak: ${number(seconds)} s of mixed load, ${number(rate)} requests/s, p50 ${number(p50Ms, 1)} ms, p99 ${number(p99Ms, 1)} ms. Memory ${number(early)} MB in the second quarter, ${number(late)} MB in the last, ${number(most)} MB at most (limit ${limitMb} MB: ${most <= limitMb ? 'met' : 'MISSED'}).`;
