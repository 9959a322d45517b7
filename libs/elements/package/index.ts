import { stubs } from '../interfaces/stubs.js';
import { begin } from '../page.js';
import { expose, prepared } from '../prepared.js';
import type { ElementsOptions, RunningElements } from '../public.js';

export type {
  AssentBannerElement,
  AssentEvents,
  ChoiceDetail,
  ElementsOptions,
  ProblemDetail,
  RunningElements,
  ShownDetail,
} from '../public.js';

let running: RunningElements | null = null;

/**
 * Defines the elements and begins, as the one line does: asks where there is no answer, lets run what is allowed. Once for a
 * page; later calls answer what runs. Only in browsers: on a server, import it and do not call it.
 */
export function start({ baseUrl, ...options }: ElementsOptions): RunningElements {
  if (running) return running;
  const src = `${baseUrl.replace(/\/+$/, '')}/elements/v1/`;
  const { settings, served, early } = prepared({ src, dataset: options });
  stubs(settings.offers);
  running = begin(settings, served, early);
  expose(Promise.resolve(running));
  return running;
}
