import type { Page, Part } from './browser.js';
import { drawnBanner } from './draw.js';
import { choicesOf, type ShownBanner } from './shown.js';

declare const document: Page;
declare const location: { href: string; search: string };
declare const navigator: { globalPrivacyControl?: boolean };
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
 */
async function showBanner(): Promise<void> {
  const page = document.getElementById('banner-demo')!;
  const state = document.getElementById('banner-state')!;
  const reopen = document.getElementById('banner-reopen')!;
  const prefix = page.dataset['prefix']!;
  const offer = await fetch(`${prefix}/docs/demo-keys`);
  if (offer.status !== 200) {
    state.textContent = 'This page needs the keys of the demo, which are offered on its own machine only.';
    return;
  }
  const { publicKey } = (await offer.json()) as { publicKey: string };
  const ask = (path: string, options: { method?: string; headers?: object; body?: string } = {}): Promise<Response> =>
    fetch(`${prefix}${path}`, { ...options, headers: { Authorization: `Bearer ${publicKey}`, ...options.headers } });

  /** Works on plain http too, where browsers keep `crypto.randomUUID` to themselves. */
  const random = (): string =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const visitor = localStorage.getItem('assent.visitor') ?? random();
  localStorage.setItem('assent.visitor', visitor);
  const subject = `visitor_id:${visitor}`;

  const wanted = new URLSearchParams(location.search);
  const place = new URLSearchParams();
  for (const name of ['country', 'region']) if (wanted.get(name)) place.set(name, wanted.get(name)!);
  const query = new URLSearchParams(place);
  if (wanted.get('locale')) query.set('locale', wanted.get('locale')!);
  const answer = await ask(`/v1/banner?${query}`);
  if (answer.status !== 200) {
    state.textContent = ((await answer.json()) as { message: string }).message;
    return;
  }
  const banner = (await answer.json()) as ShownBanner;

  const versions = Object.fromEntries(banner.purposes.map(({ key, version }) => [key, version]));
  const memory = `assent.choice.${banner.policy.region ?? banner.policy.country ?? ''}`;
  const remembered = JSON.parse(localStorage.getItem(memory) ?? 'null') as Remembered | null;
  const isAnswered =
    remembered !== null &&
    banner.purposes.every(({ key, version }) => remembered.versions[key] === version) &&
    (remembered.days === null || Date.now() < remembered.at + remembered.days * 86_400_000);
  let chosen = remembered?.chosen ?? {};
  const remember = (days: number | null): void =>
    localStorage.setItem(memory, JSON.stringify({ at: Date.now(), days, versions, chosen } satisfies Remembered));

  const shown = drawnBanner(banner, chosen, (action) => void choose(action));
  const { dialog } = shown;
  const isModal = banner.layout === 'DIALOG' || banner.layout === 'WALL';
  const open = (): void => {
    reopen.hidden = true;
    document.documentElement.dataset['bannerOpen'] = String(banner.behaviour.scrollLock);
    if (isModal) dialog.showModal();
    else dialog.show();
    // What lies behind a banner that is not modal can be scrolled from behind it.
    const covered = isModal ? '0' : `${dialog.getBoundingClientRect().height + 32}px`;
    document.documentElement.style.setProperty('--banner-height', covered);
  };
  const close = (): void => {
    dialog.close();
    document.documentElement.dataset['bannerOpen'] = 'false';
    document.documentElement.style.setProperty('--banner-height', '0');
    reopen.hidden = false;
    reopen.focus();
  };
  reopen.textContent = banner.texts['privacyChoices'] ?? banner.texts['title'] ?? '';
  reopen.setAttribute('lang', banner.locale);
  reopen.addEventListener('click', () => {
    open();
    if (banner.buttons.some(({ action }) => action === 'CUSTOMIZE')) shown.openChoices();
  });
  const dismissed = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    if (banner.presentation === 'OPT_IN' && banner.behaviour.dismiss === 'REJECT') void choose('REJECT_ALL', 'DISMISS');
    else close();
  };
  dialog.addEventListener('cancel', dismissed);
  if (!isModal) dialog.addEventListener('keydown', (event) => event.key === 'Escape' && dismissed(event));

  const METHODS: Record<string, string> = { SAVE: 'SAVE_CHOICES', DO_NOT_SELL: 'TOGGLE', ACKNOWLEDGE: 'DISMISS' };
  /** The key under which a choice is sent, so that sending it twice has one effect. */
  let sent = { body: '', key: '' };
  async function choose(action: string, method = METHODS[action] ?? action): Promise<void> {
    const choices = choicesOf(action, banner.purposes, shown.ticked());
    if (choices.length > 0 && !(await saved(choices, method))) return;
    for (const { purpose, decision } of choices) chosen = { ...chosen, [purpose]: decision === 'GRANTED' };
    shown.tick(chosen);
    const isGranted = choices.some(({ decision }) => decision === 'GRANTED');
    remember(isGranted ? banner.policy.consentValidityDays : banner.behaviour.resurfaceAfterDays);
    close();
  }

  async function saved(choices: ReturnType<typeof choicesOf>, method: string): Promise<boolean> {
    const { country, region } = banner.policy;
    const about = {
      subject,
      ...(country !== null && {
        jurisdiction: {
          country,
          ...(region !== null && { region }),
          source: wanted.get('country') ? 'DECLARED' : 'DETECTED',
        },
      }),
      collection: {
        method,
        surface: 'BANNER',
        url: location.href,
        locale: banner.locale,
        bannerVersion: banner.version,
        noticeHash: banner.contentHash,
        ...(banner.presentationToken !== null && { presentationToken: banner.presentationToken }),
      },
      ...(navigator.globalPrivacyControl === true && { signals: { gpc: true } }),
    };
    const body = JSON.stringify({ mode: 'ATOMIC', records: choices.map((choice) => ({ ...about, ...choice })) });
    if (sent.body !== body) sent = { body, key: random() };
    try {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': sent.key };
      const answered = await ask('/v1/consent/batch', { method: 'POST', headers, body });
      const result = (await answered.json()) as { message?: string; summary?: { rejected: number } };
      if (answered.status !== 200 || result.summary!.rejected > 0) {
        shown.say(result.message ?? 'Some choices were refused.');
        return false;
      }
      await tell(answered.headers.get('X-Log-Position'));
      shown.say('');
      return true;
    } catch {
      shown.say('This could not be saved. Please try again.');
      return false;
    }
  }

  /** What may be done now, as the service answers it. */
  async function tell(position: string | null): Promise<void> {
    const path = `/v1/subjects/${encodeURIComponent(subject)}/consent?${place}`;
    const answered = await ask(path, { headers: position === null ? {} : { 'X-Log-Position': position } });
    const { purposes } = (await answered.json()) as {
      purposes: Record<string, { state: string; effective: string; effectiveReason: string }>;
    };
    const rows: Part[] = Object.entries(purposes).map(([key, { state: is, effective, effectiveReason }]) => {
      const row = document.createElement('li');
      row.dataset['purpose'] = key;
      row.textContent = `${key}: ${is}, ${effective} (${effectiveReason})`;
      return row;
    });
    state.replaceChildren(...rows);
  }

  document.getElementById('banner-policy')!.textContent =
    `${banner.policy.region ?? banner.policy.country ?? 'No place'}: ${banner.presentation}${banner.policy.regulation === null ? '' : `, ${banner.policy.regulation}`}`;
  document.body.append(dialog);
  await tell(null);
  if (banner.presentation === 'NONE') return;
  if (isAnswered) reopen.hidden = false;
  else open();
}

/** `toString` gives functions as they were compiled; they find each other by the names that they have there. */
export const BANNER_SCRIPT = `${[choicesOf, drawnBanner, showBanner].map(String).join('\n')}\n${showBanner.name}();\n`;
