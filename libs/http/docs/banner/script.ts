import { AssentError, type Banner } from '../../../client/index.js';
import type { Page, Part } from './browser.js';
import { drawnBanner, type DrawnBanner } from './draw.js';
import { choicesOf, ticksKept } from './shown.js';
import { visitorOf, type Method } from './visitor.js';

declare const document: Page;
declare const localStorage: { getItem(name: string): string | null; setItem(name: string, value: string): void };

interface Remembered {
  /** When, in milliseconds since 1970. */
  at: number;
  /** Days after which it is asked again; null: not as long as the purposes stay as they are. */
  days: number | null;
  /** Versions of the purposes that were shown, by key. */
  versions: Record<string, number>;
  chosen: Record<string, boolean>;
}

/**
 * Shows the banner of the place and language that the address of the page names, sends what people choose in one batch,
 * and lets them come back to it. A choice that could not be sent stays on the screen and is sent again under the same key.
 * What stood on the screen for more than a day proves nothing any more: the banner is fetched anew and asks again. What was
 * chosen in another tab is not asked for in this one.
 */
async function showBanner(): Promise<void> {
  const page = document.getElementById('banner-demo')!;
  const state = document.getElementById('banner-state')!;
  const reopen = document.getElementById('banner-reopen')!;
  const prefix = page.dataset['prefix']!;
  const offer = await fetch(`${prefix}/docs/demo-keys`).catch(() => null);
  if (offer?.status !== 200) {
    state.textContent =
      offer?.status === 204
        ? 'This page needs the keys of the demo, which are offered on its own machine only.'
        : 'The service did not answer this page. Please load it again.';
    return;
  }
  const visitor = visitorOf(prefix, ((await offer.json()) as { publicKey: string }).publicKey);
  const served = await visitor.banner().catch((error: AssentError) => error);
  if (served instanceof AssentError) {
    state.textContent = served.message;
    return;
  }

  let banner: Banner = served;
  let drawn: DrawnBanner;
  const versionsOf = ({ purposes }: Banner): Record<string, number> =>
    Object.fromEntries(purposes.map(({ key, version }) => [key, version]));
  const memory = `assent.choice.${banner.policy.region ?? banner.policy.country ?? ''}`;
  /** What was chosen last, in any tab; null where it does not count any more. */
  const answer = (): Remembered | null => {
    const remembered = JSON.parse(localStorage.getItem(memory) ?? 'null') as Remembered | null;
    const counts =
      remembered !== null &&
      banner.purposes.every(({ key, version }) => remembered.versions[key] === version) &&
      (remembered.days === null || Date.now() < remembered.at + remembered.days * 86_400_000);
    return counts ? remembered : null;
  };
  /** Without an answer that counts, nothing is ticked. */
  const chosen = (): Record<string, boolean> => answer()?.chosen ?? {};
  const remember = (days: number | null, said: Readonly<Record<string, boolean>>): void => {
    const memorized: Remembered = { at: Date.now(), days, versions: versionsOf(banner), chosen: said };
    localStorage.setItem(memory, JSON.stringify(memorized));
  };

  const isModal = (): boolean => banner.layout === 'DIALOG' || banner.layout === 'WALL';
  const open = (): void => {
    reopen.hidden = true;
    document.documentElement.dataset['bannerOpen'] = String(banner.behaviour.scrollLock);
    if (isModal()) drawn.dialog.showModal();
    else drawn.dialog.show();
    // What lies behind a banner that is not modal can be scrolled from behind it.
    const covered = isModal() ? '0' : `${drawn.dialog.getBoundingClientRect().height + 32}px`;
    document.documentElement.style.setProperty('--banner-height', covered);
  };
  const close = (): void => {
    drawn.dialog.close();
    document.documentElement.dataset['bannerOpen'] = 'false';
    document.documentElement.style.setProperty('--banner-height', '0');
    reopen.hidden = false;
    reopen.focus();
  };
  const dismissed = (): void => {
    if (banner.presentation === 'OPT_IN' && banner.behaviour.dismiss === 'REJECT')
      return void choose('REJECT_ALL', 'DISMISS');
    const { resurfaceAfterDays } = banner.behaviour;
    if (resurfaceAfterDays !== null && Object.keys(chosen()).length === 0) remember(resurfaceAfterDays, {});
    close();
  };

  /** Puts a banner, closed, in the place of the one before. */
  function draw(next: Banner, ticked: Readonly<Record<string, boolean>>): void {
    drawn?.dialog.remove();
    banner = next;
    drawn = drawnBanner(banner, ticked, (action) => void choose(action), dismissed);
    drawn.dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      dismissed();
    });
    if (!isModal()) drawn.dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && dismissed());
    document.body.append(drawn.dialog);
    reopen.textContent = banner.texts['privacyChoices'] ?? banner.texts['title'] ?? '';
    reopen.className = banner.behaviour.reopen === 'FLOATING' ? 'floating' : '';
    reopen.setAttribute('lang', banner.locale);
    document.getElementById('banner-policy')!.textContent =
      `${banner.policy.region ?? banner.policy.country ?? 'No place'}: ${banner.presentation}${banner.policy.regulation === null ? '' : `, ${banner.policy.regulation}`}`;
  }

  /** Asks with the words of now; with those of before where no others can be had. `ticked`: what is ticked at first. */
  async function askAnew(ticked: Readonly<Record<string, boolean>>): Promise<void> {
    const fresh = await visitor.banner().catch(() => banner);
    draw(fresh, ticksKept(ticked, versionsOf(banner), fresh.purposes));
    if (banner.presentation === 'NONE') close();
    else open();
  }

  const METHODS: Record<string, Method> = { SAVE: 'SAVE_CHOICES', DO_NOT_SELL: 'TOGGLE', ACKNOWLEDGE: 'DISMISS' };
  async function choose(action: string, method = METHODS[action] ?? (action as Method)): Promise<void> {
    const choices = choicesOf(action, banner.purposes, drawn.ticked());
    try {
      const refused = choices.length === 0 ? null : await visitor.save(banner, choices, method);
      // What the token testifies to is not what may be asked now.
      if (refused?.code.startsWith('presentation_')) {
        await askAnew(drawn.ticked());
        return drawn.say('This stood here for too long to count. Please choose once more.');
      }
      if (refused) return drawn.say(refused.message);
    } catch {
      return drawn.say('This could not be saved. Please try again.');
    }
    drawn.say('');
    const decided = choices.map(({ purpose, decision }) => [purpose, decision === 'GRANTED'] as const);
    const isGranted = decided.some(([, granted]) => granted);
    const days = isGranted ? banner.policy.consentValidityDays : banner.behaviour.resurfaceAfterDays;
    remember(days, { ...chosen(), ...Object.fromEntries(decided) });
    visitor.notify();
    await showState();
    close();
  }

  /** What may be done now, as the service answers it. */
  async function showState(): Promise<void> {
    const purposes = await visitor.state().catch((error: AssentError) => error);
    if (purposes instanceof AssentError) return void (state.textContent = purposes.message);
    const rows = Object.entries(purposes).map(([key, purpose]): Part => {
      const row = document.createElement('li');
      row.dataset['purpose'] = key;
      row.textContent = `${key}: ${purpose!.state}, ${purpose!.effective} (${purpose!.effectiveReason})`;
      return row;
    });
    state.replaceChildren(...rows);
  }

  draw(banner, chosen());
  const askAgain = async (): Promise<void> => {
    await askAnew(chosen());
    if (banner.buttons.some(({ action }) => action === 'CUSTOMIZE')) drawn.openChoices();
  };
  reopen.addEventListener('click', () => void askAgain());
  visitor.onChange(async () => {
    await showState();
    if (drawn.dialog.open && answer() !== null) close();
  });
  await showState();
  if (banner.presentation === 'NONE') return;
  if (answer() !== null) reopen.hidden = false;
  else open();
}

void showBanner();
