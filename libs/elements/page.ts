import { AssentError } from '../client/errors.js';
import { keptNames, objectsByGpc } from '../client/page.js';
import type { AssentClient } from '../client/client.js';
import type { Banner, Purpose } from '../client/types.js';
import { newVisitor } from '../client/visitor.js';
import { notifyConsentChanged, watch } from '../client/watching.js';
import { Allowed, allowedBefore, allowedBy } from './allowed.js';
import type { Drawn } from './banner/draw.js';
import { Blocked } from './blocking/blocked.js';
import { asksAgain, choicesOf, ticksKept, type Choice } from './choices.js';
import { defineElements, type AssentBanner } from './page-elements.js';
import type { RunningElements } from './public.js';
import type { EarlyClicks } from './rendered.js';
import { forgetChoice, remember, remembered, type Memory } from './memory.js';
import type { Display } from './judging/judge.js';
import type { Settings } from './settings.js';
import type { TcfLayer } from './tcf/layer.js';
import { afterPaint, bodyOf, whenIdle } from './timing.js';
import { onBanner, Visitor, type Collection, type Place, type Records } from './visitor.js';

const DAY_MS = 86_400_000;
type Method = Collection['method'];
const METHODS: Readonly<Record<string, Method>> = {
  ACCEPT_ALL: 'ACCEPT_ALL',
  REJECT_ALL: 'REJECT_ALL',
  SAVE: 'SAVE_CHOICES',
  DO_NOT_SELL: 'TOGGLE',
  ACKNOWLEDGE: 'DISMISS',
};
const SAYS_YES = ['GRANTED', 'ACKNOWLEDGED'];

const placeOf = ({ policy: { country, region }, locale }: Banner): Place => ({ country, region, locale });

/** `served`: the banner, where the loader has asked for it. `early`: what is clicked on one that the first HTML brought. */
export function begin(
  settings: Settings,
  served: Promise<Banner | null> | null,
  early: EarlyClicks | null = null,
): RunningElements {
  const page = new Page(settings, early);
  page.started = page.run(served);
  return page;
}

/** What one page does about consent: asks where there is no answer, records, lets run what is allowed, and nothing else. */
export class Page implements RunningElements {
  readonly allowed = new Allowed();
  readonly blocked: Blocked;
  readonly visitor: Visitor;
  private element: AssentBanner | null = null;
  banner: Banner | null = null;
  private drawn: Drawn | null = null;
  /** The part of IAB TCF in the banner, where the page switched it on. */
  private readonly layer: Promise<TcfLayer | void> | null;
  /** The person is asked and has not answered. */
  isAsking = false;
  /** Resolves when the banner is on the screen, or the page knows that it need not be. Never rejects. */
  started: Promise<void> = Promise.resolve();
  private isQueueing = false;
  /** What is on the screen; undefined until the module that judges it is loaded. */
  display: () => Display | undefined = () => undefined;

  constructor(
    readonly settings: Settings,
    private readonly early: EarlyClicks | null = null,
  ) {
    this.visitor = new Visitor(settings);
    this.layer = settings.offers.includes('tcf')
      ? import('./tcf/layer.js').then(
          ({ tcfLayer }) => tcfLayer(this),
          (error: unknown) => void this.problem(error),
        )
      : null;
    this.blocked = new Blocked(this.allowed, (within) => this.found(within));
    defineElements(this);
  }

  async run(served: Promise<Banner | null> | null): Promise<void> {
    const { connection } = this.visitor;
    if (this.settings.isDebug) await this.debug();
    watch(connection, (fresh) => this.look(fresh));
    // A page that comes back from the browser's cache has missed what was said meanwhile.
    addEventListener('pageshow', ({ persisted }) => persisted && void this.look(true));
    this.blocked.begin();
    if (this.settings.offers.length > 0)
      void import('./interfaces/offer.js').then(
        ({ offer }) => offer(this),
        (error: unknown) => this.problem(error),
      );
    if (keptNames(`${connection.name}.queue.`).length > 0) void this.queueOffline();
    if (!this.settings.isManual) this.stand(await bodyOf());
    try {
      const isUnanswered = served !== null || (!this.visitor.isKnown() && remembered(this.settings) === null);
      if (isUnanswered) await this.ask((await served) ?? (await this.visitor.banner()));
      else await this.look(false);
    } catch (error) {
      this.problem(error);
    }
    // Nothing is asked: what the first HTML asked goes.
    if (!this.drawn) this.early?.clear();
    this.emit('assent-ready');
  }

  /** The first banner, in a page whose browser has no answer that counts. */
  private async ask(banner: Banner): Promise<void> {
    this.banner = banner;
    if (this.settings.carryOver && !this.visitor.isKnown()) await this.carryOver(banner);
    this.relabel();
    if (this.visitor.isKnown()) await this.look(false);
    else this.allowed.set(allowedBefore(banner, objectsByGpc()));
    const isAsked = banner.presentation !== 'NONE' && !this.settings.isManual;
    if (!isAsked || remembered(this.settings) !== null) return;
    await this.show(1, allowedBefore(banner, objectsByGpc()));
    this.answerEarly();
  }

  /** A choice that was imported counts. Where that cannot be known the person is asked. */
  private async carryOver(banner: Banner): Promise<void> {
    try {
      await (await import('./carry-over.js')).carryOver(this.visitor, this.settings, banner);
    } catch (error) {
      this.problem(error);
    }
  }

  /** Answers what was clicked before this script had come; where something else is shown by now, asks for it anew. */
  private answerEarly(): void {
    const { pressed = '', isChanged } = this.early ?? {};
    this.early?.end();
    if (pressed === '') return;
    if (isChanged) this.drawn!.say('stale');
    else this.element!.shadowRoot!.querySelector<HTMLElement>(`.first ${pressed}`)?.click();
  }

  /** Asks what may be done now. `fresh`: past every cache. Never rejects. */
  async look(fresh: boolean): Promise<void> {
    const memory = remembered(this.settings);
    if (memory && this.isAsking) this.hide();
    try {
      if (!this.visitor.isKnown()) return void this.allowed.set(memory?.silence ?? {});
      const state = await this.visitor.state(fresh);
      await this.left(this.allowed.set(allowedBy(state)));
      if (memory && !memory.silence && !this.settings.isManual && asksAgain(state, memory.purposes))
        await this.renew(memory);
    } catch (error) {
      this.problem(error);
    }
  }

  /** Asks again where the banner shows what people have not answered in the words of now. */
  private async renew(memory: Memory): Promise<void> {
    const [banner, { purposes: said }] = await Promise.all([this.visitor.banner(), this.visitor.state(false)]);
    this.banner = banner;
    const open = banner.purposes.filter(({ key }) => said[key]?.renewal.required || !memory.purposes.includes(key));
    if (open.length === 0 || banner.presentation === 'NONE')
      return remember(this.settings, { ...memory, purposes: Object.keys(said) });
    forgetChoice(this.settings);
    await this.show(1);
  }

  async open(): Promise<void> {
    this.banner ??= await this.visitor.banner();
    await this.show(1);
  }

  /** The choices with what holds now, in the words of now. */
  async openChoices(): Promise<void> {
    try {
      this.banner = await this.visitor.banner();
      await this.show(2, await this.standing(this.banner));
    } catch (error) {
      this.problem(error);
    }
  }

  close(): void {
    this.hide();
  }

  /** Forgets visitor and choice in this browser, and asks anew. */
  async reset(): Promise<void> {
    forgetChoice(this.settings);
    if (this.visitor.isKnown()) newVisitor(this.visitor.connection);
    this.banner = await this.visitor.banner();
    await this.look(true);
    await this.show(1);
  }

  /** The one `<assent-banner>` of the page. */
  adopt(element: AssentBanner): void {
    if (this.element === element) return;
    // The first HTML brings one after this script has made its own.
    if (!this.settings.isManual) this.element?.remove();
    this.element = element;
    if (this.isAsking) void this.show(1, this.drawn!.ticked());
  }

  /** All of `@assent/client`, for pages that do more. It comes in a file of its own, of which other pages see nothing. */
  async client(): Promise<AssentClient> {
    const { baseUrl, key } = this.settings;
    const all = await import('./client.js');
    const { assent } = window as unknown as { assent: Record<string, unknown> };
    for (const [name, value] of Object.entries(all)) if (!(name in assent)) assent[name] = value;
    assent['client'] ??= new all.AssentClient({ baseUrl, apiKey: key });
    return assent['client'] as AssentClient;
  }

  problem(error: unknown): void {
    const { code = 'page_failed', message = String(error), hint = '' } = error as Partial<AssentError>;
    console.error(error);
    this.emit('assent-problem', { code, message, hint });
  }

  private async debug(): Promise<void> {
    const [{ showPanel }] = await Promise.all([import('./debug/panel.js'), bodyOf()]);
    showPanel(this);
  }

  private emit(name: string, detail: object = {}): void {
    (this.element ?? document).dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** First in the document, so that it is read and reached first. Frameworks that replace the body lose it. */
  private stand(body: HTMLElement): void {
    this.element ??= document.createElement('assent-banner') as AssentBanner;
    if (!this.element.isConnected) body.prepend(this.element);
  }

  /** What came into the page that is ours. */
  private found(within: ParentNode): void {
    if (within.querySelector('assent-gate:not(:defined)'))
      void import('./blocking/gate-element.js').then(({ defineGate }) => defineGate(this), console.error);
    if (within.querySelector('assent-preferences:not(:defined)'))
      void import('./preferences/preferences.js').then((part) => part.definePreferences(this), console.error);
    if (!this.settings.isManual && this.element && document.body) this.stand(document.body);
  }

  /** By key, what is switched on where choices are opened: what may be done, unless it has to be asked for anew. */
  private async standing(banner: Banner): Promise<Record<string, boolean>> {
    if (!this.visitor.isKnown()) return { ...allowedBefore(banner, objectsByGpc()) };
    const { purposes } = await this.visitor.state(true);
    const said = Object.entries(purposes).filter(([, purpose]) => !purpose!.renewal.required);
    return Object.fromEntries(said.map(([key, purpose]) => [key, purpose!.effective === 'ALLOWED']));
  }

  private async show(layer: 1 | 2, ticked: Readonly<Record<string, boolean>> = {}): Promise<void> {
    const banner = this.banner!;
    const { draw } = await import('./banner/draw.js');
    this.stand(await bodyOf());
    this.drawn?.remove();
    this.drawn = draw(this.element!.shadowRoot!, banner, {
      ticked,
      choose: (action, layer) => void this.choose(action, layer),
      dismiss: () => this.dismissed(),
    });
    if (banner.tcf.enabled)
      await (await this.layer)?.addTo(this.element!.shadowRoot!, banner, () => this.drawn!.show(2));
    this.isAsking = layer === 1;
    this.relabel();
    this.drawn.show(layer);
    void this.judge(ticked, this.drawn.ticked());
    this.emit('assent-shown', { layer, presentation: banner.presentation });
    whenIdle(() => void this.queueOffline());
  }

  /** `ticked`: what the person had switched on; `shown`: what is switched on before the person could do so. */
  private async judge(
    ticked: Readonly<Record<string, boolean>>,
    shown: Readonly<Record<string, boolean>>,
  ): Promise<void> {
    const banner = this.banner!;
    const asked = banner.purposes.filter(({ consentModel }) => consentModel === 'OPT_IN').map(({ key }) => key);
    const { judging } = await import('./judging/judge.js');
    this.display = judging(
      this.element!.shadowRoot!,
      banner,
      asked.filter((key) => shown[key] && !ticked[key]),
    );
  }

  private hide(): void {
    this.isAsking = false;
    this.drawn?.hide();
    this.emit('assent-closed');
  }

  private dismissed(): void {
    const { presentation, behaviour } = this.banner!;
    if (this.isAsking && presentation === 'OPT_IN' && behaviour.dismiss === 'REJECT')
      return void this.choose('REJECT_ALL', 1, 'DISMISS');
    if (this.isAsking && behaviour.resurfaceAfterDays !== null)
      this.remember(behaviour.resurfaceAfterDays, allowedBefore(this.banner!, objectsByGpc()));
    this.hide();
    this.relabel();
  }

  /** The click is answered first, on the screen; then it is recorded, and what it allows runs when it is. */
  private async choose(action: string, layer: number, method: Method = METHODS[action]!): Promise<void> {
    const [banner, drawn] = [this.banner!, this.drawn!];
    const display = this.display();
    const ticked = drawn.ticked();
    const choices = choicesOf(action, banner.purposes, ticked);
    this.hide();
    const refused = choices.filter(({ decision }) => !SAYS_YES.includes(decision)).map(({ purpose }) => purpose);
    this.allowed.refuse(refused);
    await afterPaint();
    this.rememberChoice(choices);
    this.relabel();
    try {
      const [first] = choices;
      const vendors = (await this.layer)?.decisions(action);
      if (first && vendors?.length) first.vendors = vendors;
      const records =
        choices.length === 0
          ? []
          : await this.visitor.save(placeOf(banner), choices, onBanner(banner, method, 'BANNER', display));
      // Once more: the visitor that the cookie of a parent domain names was begun by saving.
      this.rememberChoice(choices);
      this.chosen(choices, method, records);
      await this.left(refused);
    } catch (error) {
      await this.unsaved(error, layer as 1 | 2, ticked);
    }
  }

  /** Grants purposes in the words that stand beside the button, where a frame or the like waits for them. */
  async grant(purposes: readonly Purpose[]): Promise<void> {
    const { country = null, region = null } = this.settings;
    const place = this.banner ? placeOf(this.banner) : { country, region, locale: '' };
    const choices = purposes.map(({ key, version }) => ({
      purpose: key,
      purposeVersion: version,
      decision: 'GRANTED' as const,
    }));
    const records = await this.visitor.save({ ...place, locale: purposes[0]!.locale }, choices, {
      method: 'TOGGLE',
      surface: 'WIDGET',
    });
    this.chosen(choices, 'TOGGLE', records);
  }

  private chosen(choices: readonly Choice[], method: Method, records: Records): void {
    this.emit('assent-choice', {
      decisions: Object.fromEntries(choices.map(({ purpose, decision }) => [purpose, decision])),
      method,
      records: records.map(({ id }) => id),
      receipts: records.map(({ receiptId }) => receiptId),
    });
    notifyConsentChanged(this.visitor.connection);
  }

  private async unsaved(error: unknown, layer: 1 | 2, ticked: Readonly<Record<string, boolean>>): Promise<void> {
    // Kept in the browser, and sent when there is a connection.
    if (error instanceof AssentError && error.code === 'queued') return;
    forgetChoice(this.settings);
    this.problem(error);
    const before = this.banner!;
    // What the token testifies to is not what may be asked now.
    const isStale = error instanceof AssentError && error.code.startsWith('presentation_');
    if (isStale) this.banner = await this.visitor.banner().catch(() => before);
    const versions = Object.fromEntries(before.purposes.map(({ key, version }) => [key, version]));
    await this.show(layer, ticksKept(ticked, versions, this.banner!.purposes));
    this.isAsking = true;
    this.drawn!.say(isStale ? 'stale' : 'unsaved');
  }

  private rememberChoice(choices: readonly Choice[]): void {
    const { policy, behaviour } = this.banner!;
    const isGranted = choices.some(({ decision }) => decision === 'GRANTED');
    this.remember(isGranted ? policy.consentValidityDays : behaviour.resurfaceAfterDays);
  }

  /** `silence`: what holds where nothing was chosen. */
  private remember(days: number | null, silence?: Readonly<Record<string, boolean>>): void {
    const { purposes, texts, locale } = this.banner!;
    remember(this.settings, {
      until: days === null ? null : Date.now() + days * DAY_MS,
      purposes: purposes.map(({ key }) => key),
      label: [texts.privacyChoices ?? texts.title ?? '', locale],
      ...(silence && { silence }),
    });
  }

  /** What is over for these purposes: what was kept on the device for them, and scripts that cannot be stopped otherwise. */
  private async left(purposes: readonly string[]): Promise<void> {
    if (purposes.length === 0) return;
    const { clean } = await import('./blocking/cleaning.js');
    await clean(this.visitor.connection, purposes, (purpose) => this.allowed.allows({ purposes: [purpose] }));
    if (this.settings.reloads && this.blocked.goesOn()) location.reload();
  }

  private async queueOffline(): Promise<void> {
    if (this.isQueueing) return;
    this.isQueueing = true;
    const { keepOffline } = await import('../client/sending/offline-queue.js');
    keepOffline(this.visitor.connection, (error) => this.problem(error));
  }

  /** Words and language of the way back to the choices; null where they are not known yet. */
  label(): readonly [string, string] | null {
    const { texts, locale } = this.banner ?? {};
    const label = texts?.privacyChoices ?? texts?.title;
    return label ? [label, locale!] : (remembered(this.settings)?.label ?? null);
  }

  private relabel(): void {
    const isFloating = this.banner?.behaviour.reopen === 'FLOATING';
    const links = document.querySelectorAll<HTMLElement & { relabel?(): void }>('assent-choices-link');
    if (isFloating && links.length === 0 && remembered(this.settings)) {
      const link = document.createElement('assent-choices-link');
      link.setAttribute('variant', 'floating');
      document.body.append(link);
    }
    for (const link of links) link.relabel?.();
  }
}
