import type { Banner } from '../../client/types.js';
import type { Collection } from '../visitor.js';
import { colourOf, contrast, over, together, type Colour } from './colours.js';

/** What was on the screen, as it goes along with the choice that was made there. */
export type Display = NonNullable<Collection['display']>;
type Check = Display['checks'][number];

/** By which rules is judged. The service knows them by this number. */
const VERSION = 1;
/** WCAG 2.2, 1.4.3. Of large letters 3 would do; there are none. */
const CONTRAST_MIN = 4.5;
/** CSS pixels (WCAG 2.2, 2.5.8). */
const TARGET_MIN = 24;
/** Sizes that browsers round are equal up to this, in CSS pixels; contrasts up to this share. */
const SIZE_TOLERANCE = 1;
const CONTRAST_TOLERANCE = 0.1;

const LAYER = '[part=dialog]';
const TARGETS = 'button, a, input, label';

/**
 * Judges the layers of a banner by what the browser computed, so that the style of the page counts too. Looks when the
 * banner is on the screen, and again when a style sheet of the page has come, or a pointer or the focus into a layer: not
 * while a button is pointed at, whose style may be another one then. `ticked`: purposes that were switched on before a person could do so, and need a yes.
 * Returns a function that answers for the layer that is shown now; undefined where there is none.
 */
export function judging(
  root: ShadowRoot,
  banner: Pick<Banner, 'presentation' | 'locale'>,
  ticked: readonly string[],
): () => Display | undefined {
  const judged = new Map<Element, Display>();
  const look = (): Display | undefined => {
    const layer = [...root.querySelectorAll<HTMLElement>(LAYER)].find(({ hidden }) => !hidden);
    if (!layer) return undefined;
    if (!judged.has(layer) || !layer.querySelector('button:hover')) judged.set(layer, judge(layer, banner, ticked));
    return judged.get(layer);
  };
  for (const layer of root.querySelectorAll(LAYER))
    for (const event of ['pointerenter', 'focusin']) layer.addEventListener(event, look);
  document.addEventListener('load', ({ target }) => target instanceof HTMLLinkElement && look(), true);
  requestAnimationFrame(() => {
    look();
    performance.mark('assent-judged');
  });
  return look;
}

function judge(
  layer: HTMLElement,
  { presentation, locale }: Pick<Banner, 'presentation' | 'locale'>,
  ticked: readonly string[],
): Display {
  const [accept, refuse] = ['ACCEPT_ALL', 'REJECT_ALL'].map((action) =>
    layer.querySelector<HTMLElement>(`[data-action=${action}]`),
  );
  return {
    version: VERSION,
    checks: [
      ...(accept && refuse ? equality(accept, refuse, layer) : []),
      atLeast('TEXT_CONTRAST', CONTRAST_MIN, textsIn(layer).map(contrastOf)),
      atLeast('TARGET_SIZE', TARGET_MIN, targetsIn(layer).map(shorterSide)),
      ...(presentation === 'OPT_IN' ? [nothing('NOTHING_TICKED', ticked)] : []),
      language(locale),
    ],
    viewport: innerWidth < 600 ? 'S' : innerWidth < 1024 ? 'M' : 'L',
  };
}

/** Refusing is as large, as heavy and as legible as accepting (EDPB Cookie Banner Taskforce, 17–18; CNIL 2020-092, 34). */
function equality(accept: HTMLElement, refuse: HTMLElement, layer: HTMLElement): Check[] {
  const both = (measure: (button: HTMLElement) => readonly [number, number]) =>
    [measure(accept), measure(refuse)] as const;
  const sizes = both((button) => {
    const { width, height } = button.getBoundingClientRect();
    return [width, height];
  });
  const letters = both((button) => {
    const { fontSize, fontWeight } = getComputedStyle(button);
    return [parseFloat(fontSize), Number(fontWeight)];
  });
  // Of the words on the button, and of the button on the banner.
  const contrasts = both((button) => [contrastOf(button), contrast(groundOf(button), groundOf(layer))]);
  const compared = (
    check: Check['check'],
    [a, b]: typeof sizes,
    isEqual: (a: number, b: number) => boolean,
  ): Check => ({
    check,
    passed: isEqual(a[0], b[0]) && isEqual(a[1], b[1]),
    measured: `${a.map(short).join('x')} / ${b.map(short).join('x')}`,
  });
  return [
    compared('EQUAL_SIZE', sizes, (a, b) => Math.abs(a - b) <= SIZE_TOLERANCE),
    compared('EQUAL_WEIGHT', letters, (a, b) => a === b),
    compared('EQUAL_CONTRAST', contrasts, (a, b) => Math.abs(a - b) <= CONTRAST_TOLERANCE * Math.max(a, b)),
  ];
}

function atLeast(check: Check['check'], least: number, values: readonly number[]): Check {
  const smallest = Math.min(99_999, ...values);
  // Browsers compute with halves of hundredths.
  return { check, passed: smallest >= least - 0.01, measured: short(smallest) };
}

const nothing = (check: Check['check'], found: readonly unknown[]): Check => ({
  check,
  passed: found.length === 0,
  measured: String(found.length),
});

/** A page that does not say its language fails: nothing shows that people of this page read the banner's. */
function language(locale: string): Check {
  const of = (tag: string): string => /^[a-z]{2,3}(?=-|$)/.exec(tag.toLowerCase())?.[0] ?? 'und';
  const [banner, page] = [of(locale), of(document.documentElement.lang)];
  return { check: 'LANGUAGE', passed: banner === page, measured: `${banner} / ${page}` };
}

const short = (value: number): string => String(Math.floor(value * 100 + 1e-6) / 100);

const isSeen = (element: Element): boolean => element.getClientRects().length > 0;

/** Elements with words of their own. */
const textsIn = (layer: HTMLElement): HTMLElement[] =>
  [...layer.querySelectorAll<HTMLElement>('*')].filter(
    (element) =>
      isSeen(element) &&
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== ''),
  );

const targetsIn = (layer: HTMLElement): HTMLElement[] =>
  [...layer.querySelectorAll<HTMLElement>(TARGETS)].filter(isSeen);

function shorterSide(element: HTMLElement): number {
  const { width, height } = element.getBoundingClientRect();
  return Math.min(width, height);
}

/** Of the words of an element on what lies behind them. */
function contrastOf(element: HTMLElement): number {
  const ground = groundOf(element);
  const [red, green, blue, opacity] = seen(getComputedStyle(element).color);
  return contrast(over([red, green, blue, opacity * opacityOf(element)], ground), ground);
}

/** What lies behind the words of an element, by its own colour and those of all that it is in. */
function groundOf(element: Element): Colour {
  const layers: Colour[] = [];
  for (let at: Element | null = element; at; at = at.matches(LAYER) ? null : at.parentElement) {
    const [red, green, blue, opacity] = seen(getComputedStyle(at).backgroundColor);
    layers.unshift([red, green, blue, opacity * opacityOf(at)]);
  }
  return together(layers);
}

/** Of an element with all that it is in; 0 where it is hidden. */
function opacityOf(element: Element): number {
  if (getComputedStyle(element).visibility !== 'visible') return 0;
  let opacity = 1;
  for (let at: Element | null = element; at; at = at.matches(LAYER) ? null : at.parentElement)
    opacity *= Number(getComputedStyle(at).opacity);
  return opacity;
}

let canvas: CanvasRenderingContext2D | null = null;

/** Colours of other spaces are painted and looked at. */
function seen(computed: string): Colour {
  const known = colourOf(computed);
  if (known) return known;
  canvas ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
  if (!canvas) return [0, 0, 0, 0];
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = computed;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, opacity] = canvas.getImageData(0, 0, 1, 1).data as unknown as Colour;
  return [red / 255, green / 255, blue / 255, opacity / 255];
}
