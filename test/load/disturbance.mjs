import { stolenUs } from './processes.mjs';

/** How long the processors are watched at a time. */
const SLICE_MS = 100;
/** So much of all processors may go to other machines of the same host meanwhile: one tick of the system. */
const STOLEN_US_MAX = 10_000;

/**
 * Watches when the host gave the processors to others. Ends when it is called; answers a function that tells of a moment,
 * by `performance.now()`, whether what began then was disturbed: it was, where others had more than a tick in that
 * tenth of a second, in the one before, whose work is still waiting, or in the one after. How long it took is no part of
 * that, so slow things are left out no more often than fast ones.
 */
export function watchHost() {
  const looks = [];
  const look = () => looks.push({ atMs: performance.now(), stolen: stolenUs() });
  look();
  const timer = setInterval(look, SLICE_MS).unref();
  return () => {
    clearInterval(timer);
    look();
    const disturbed = looks
      .slice(1)
      .map((end, i) => ({ begin: looks[i], end }))
      .filter(({ begin, end }) => end.stolen - begin.stolen > STOLEN_US_MAX);
    return (atMs) => disturbed.some(({ begin, end }) => atMs >= begin.atMs - SLICE_MS && atMs <= end.atMs + SLICE_MS);
  };
}
