import type { Banner } from '../../client/types.js';
import { draw, type Drawn } from '../banner/draw.js';
import { judging } from '../judging/judge.js';
import { defineElements, type AssentBanner } from '../page-elements.js';

/*
 * `<assent-banner>` in a frame of the console: the element that pages have, drawn from what the console sends. It asks
 * nothing, keeps nothing and records nothing: it has no key, and the frame's page may connect to nothing.
 */

/** What the console sends: a banner as `POST …/banner/preview` answers it, and how to look at it. */
export interface PreviewWanted {
  banner: Banner;
  layer: 1 | 2;
  scheme: 'light' | 'dark';
}

/** What the frame answers. */
export type PreviewSaid =
  | { assent: 'preview'; state: 'ready' }
  | { assent: 'preview'; state: 'shown'; checks: NonNullable<ReturnType<ReturnType<typeof judging>>>['checks'] }
  /** A button was pressed, by its action; null: it was closed without a choice. */
  | { assent: 'preview'; state: 'pressed'; action: string | null };

let element: AssentBanner | null = null;
let drawn: Drawn | null = null;
let wanted: PreviewWanted | null = null;

// The frame's origin is opaque, and what it says is no secret.
const say = (said: PreviewSaid): void => parent.postMessage(said, '*');

function show(layer: 1 | 2): void {
  if (!wanted || !element) return;
  const { banner, scheme } = wanted;
  const { documentElement: page } = document;
  page.lang = banner.locale;
  page.dir = banner.direction.toLowerCase();
  page.dataset['scheme'] = scheme;
  drawn?.remove();
  drawn = null;
  if (banner.presentation === 'NONE') return say({ assent: 'preview', state: 'shown', checks: [] });
  // Browsers report each autofocus in a frame of another origin, and do not follow it.
  element.remove();
  drawn = draw(element.shadowRoot!, banner, {
    ticked: {},
    choose: (action) => pressed(action),
    dismiss: () => pressed(null),
  });
  for (const heading of element.shadowRoot!.querySelectorAll('[autofocus]')) heading.removeAttribute('autofocus');
  document.body.prepend(element);
  drawn.show(layer);
  const ticked = drawn.ticked();
  const needYes = banner.purposes.filter(({ key, consentModel }) => consentModel === 'OPT_IN' && ticked[key]);
  const look = judging(
    element.shadowRoot!,
    banner,
    needYes.map(({ key }) => key),
  );
  say({ assent: 'preview', state: 'shown', checks: look()?.checks ?? [] });
}

function pressed(action: string | null): void {
  drawn?.hide();
  say({ assent: 'preview', state: 'pressed', action });
}

const again = (layer: 1 | 2) => (): Promise<void> => Promise.resolve(show(layer));

defineElements({
  open: again(1),
  openChoices: again(2),
  close: () => drawn?.hide(),
  reset: again(1),
  adopt: (banner) => void (element = banner),
  label: () => null,
});
document.body.prepend(document.createElement('assent-banner'));

addEventListener('message', ({ source, data }: MessageEvent<PreviewWanted>) => {
  if (source !== parent) return;
  wanted = data;
  show(data.layer);
});
say({ assent: 'preview', state: 'ready' });
