import { tried } from '../../client/page.js';
import type { Banner, BatchItem, Purpose, PurposeList, TcString } from '../../client/types.js';
import { part } from '../banner/draw.js';
import { said, type PageOfInterfaces } from '../interfaces/following.js';
import LAYER_STYLE from './layer.css';
import type OWN_TEXTS from './texts/en.json';
import { disclosed, type VendorListOfLayer, type VendorOfLayer } from './vendor-list.js';

type Words = typeof OWN_TEXTS;
type OwnText = keyof Words;
const LANGUAGES: Readonly<Record<string, () => Promise<{ default: Words }>>> = {
  en: () => import('./texts/en.json'),
  de: () => import('./texts/de.json'),
  fr: () => import('./texts/fr.json'),
};
type VendorDecisions = NonNullable<BatchItem['vendors']>;
type Data = NonNullable<TcString['tcData']>;

/** What the layer shows, asked of the service. */
interface Shown {
  list: VendorListOfLayer;
  purposes: readonly Purpose[];
  /** Null where the person has not answered yet, or no string can be made. */
  data: Data | null;
}

/** The part of IAB TCF in the banner of a page. */
export interface TcfLayer {
  /** Draws itself into a banner that is not shown yet; `toChoices` goes to the second layer of it. */
  addTo(root: ShadowRoot, banner: Banner, toChoices: () => void): Promise<void>;
  /** What the person decided about single vendors with this button. */
  decisions(action: string): VendorDecisions;
}

const DAY_S = 86_400;

export function tcfLayer(page: PageOfInterfaces): TcfLayer {
  /** By id of the vendor, whether it is refused: as it stands, and the switches that are drawn. */
  let stands: ReadonlySet<number> = new Set();
  const switches: Record<number, HTMLInputElement> = {};
  // For the banner of a page that has no answer yet. Later it is asked for when it is drawn: what stands is another then.
  let asked = page.visitor.isKnown() ? null : shown(page);
  asked?.catch(() => undefined);
  return {
    async addTo(root, banner, toChoices) {
      for (const id of Object.keys(switches)) delete switches[Number(id)];
      let found: Shown;
      let words: Words;
      const language = banner.locale.split('-')[0]!;
      try {
        const texts = (LANGUAGES[language] ?? LANGUAGES['en']!)();
        const asking = asked ?? shown(page);
        asked = null;
        [found, words] = [await asking, (await texts).default];
      } catch (error) {
        return page.problem(error);
      }
      // Drawn by another call meanwhile.
      if (root.querySelector('p.tcf')) return;
      const vendors = disclosed(found.list, banner.tcf.vendors);
      stands = new Set(vendors.filter((vendor) => isRefused(vendor, found.data)).map(({ id }) => id));
      const drawing = new Drawing(root, banner, found, vendors, {
        texts: words,
        lang: language in LANGUAGES ? {} : { lang: 'en' },
        drawn: (id, input) => void (switches[id] = input),
      });
      drawing.first(toChoices);
      drawing.second(stands);
    },
    decisions(action) {
      const decided = (id: number, decision: 'GRANTED' | 'DENIED'): VendorDecisions[number] => ({
        framework: 'TCF',
        id,
        decision,
      });
      if (action === 'ACCEPT_ALL') return [...stands].map((id) => decided(id, 'GRANTED'));
      if (action !== 'SAVE') return [];
      return Object.entries(switches)
        .filter(([id, { checked }]) => checked !== stands.has(Number(id)))
        .map(([id, { checked }]) => decided(Number(id), checked ? 'DENIED' : 'GRANTED'));
    },
  };
}

async function shown(page: PageOfInterfaces): Promise<Shown> {
  const { connection } = page.visitor;
  const { locale } = page.settings;
  const [list, purposes, data] = await Promise.all([
    connection.read<VendorListOfLayer>('/v1/tcf/vendor-list', { locale } as object),
    connection.read<PurposeList>('/v1/purposes', { locale, limit: 200 } as object),
    page.visitor.isKnown()
      ? said<TcString>(page, 'tcstring', { format: 'tcdata' }).then(
          ({ tcData }) => tcData ?? null,
          () => null,
        )
      : null,
  ]);
  return { list, purposes: purposes.data, data };
}

/** Has neither bit though what was said of purposes would give it one. */
function isRefused({ id, purposes, legIntPurposes }: VendorOfLayer, data: Data | null): boolean {
  if (!data?.vendor.disclosedVendors[id]) return false;
  const { consents, legitimateInterests } = data.purpose;
  const wouldHave = purposes.some((each) => consents[each]) || legIntPurposes.some((each) => legitimateInterests[each]);
  return wouldHave && !data.vendor.consents[id] && !data.vendor.legitimateInterests[id];
}

/** What a drawing has besides what the service answered. */
interface Own {
  texts: Words;
  /** Language of our own texts, where it is not that of the banner. */
  lang: Readonly<Record<string, string>>;
  /** A switch by which a vendor is refused is in the layer. */
  drawn: (id: number, input: HTMLInputElement) => void;
}

class Drawing {
  private readonly texts: Words;
  private readonly lang: Own['lang'];
  private readonly drawn: Own['drawn'];

  constructor(
    private readonly root: ShadowRoot,
    private readonly banner: Banner,
    private readonly shown: Shown,
    private readonly vendors: readonly VendorOfLayer[],
    own: Own,
  ) {
    ({ texts: this.texts, lang: this.lang, drawn: this.drawn } = own);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(LAYER_STYLE);
    root.adoptedStyleSheets.push(sheet);
  }

  /** What has to be said at once: what for, by how many, on which grounds, and how to say no and to change one's mind. */
  first(toChoices: () => void): void {
    const asked = this.mapped(this.banner.purposes.map(({ key }) => key));
    const names = [
      ...asked.purposes.map((id) => this.shown.list.purposes[id]?.name ?? []),
      ...asked.features.map((id) => this.shown.list.specialFeatures[id]?.name ?? []),
    ].flat();
    const hasInterests = this.vendors.some(({ legIntPurposes }) => legIntPurposes.length > 0);
    const count = part('button', { type: 'button', class: 'inline' }, this.text('partners', this.vendors.length));
    count.addEventListener('click', () => {
      toChoices();
      const all = this.root.querySelector<HTMLDetailsElement>('.tcf-vendors')!;
      all.open = true;
      all.querySelector('summary')!.focus();
    });
    const [before = '', after = ''] = this.text('first').split('{partners}');
    const words = part('p', { ...this.lang, class: 'tcf' }, before, count, after);
    const what = part('p', { class: 'tcf' }, part('span', this.lang, `${this.text('purposes')}: `), names.join(' · '));
    const rights = [this.text('rights'), ...(hasInterests ? [this.text('interests')] : [])].join(' ');
    const body = this.root.querySelector('#body')!;
    const links = body.querySelector('.links');
    for (const line of [words, ...(names.length > 0 ? [what] : []), part('p', { ...this.lang, class: 'tcf' }, rights)])
      body.insertBefore(line, links);
  }

  /** Under each purpose of the site what it stands for; then what is no choice; then who. */
  second(refused: ReadonlySet<number>): void {
    const { list } = this.shown;
    for (const { key } of this.banner.purposes) {
      const { purposes, features } = this.mapped([key]);
      if (purposes.length + features.length === 0) continue;
      this.root.getElementById(`d-${key}`)!.parentElement!.append(
        this.folded(this.text('standsFor', purposes.length + features.length), () => [
          ...purposes.map((id) => this.explained(list.purposes[id], this.whoFor(id))),
          ...features.map((id) =>
            this.explained(
              list.specialFeatures[id],
              this.text(
                'partners',
                this.count((vendor) => vendor.specialFeatures.includes(id)),
              ),
            ),
          ),
        ]),
      );
    }
    const used = (of: 'specialPurposes' | 'features'): string[] =>
      Object.keys(list[of]).filter((id) => this.vendors.some((vendor) => vendor[of].includes(Number(id))));
    const all = this.root.querySelector('.second ul')!;
    all.append(
      ...this.group(
        'specialPurposes',
        [],
        used('specialPurposes').map((id) => list.specialPurposes[id]),
        'alwaysOn',
      ),
      ...this.group(
        'features',
        [list.standardTexts?.features ? part('p', {}, list.standardTexts.features) : this.own('p', 'featuresText')],
        used('features').map((id) => list.features[id]),
      ),
    );
    const vendors = this.folded(this.text('partners', this.vendors.length), () =>
      this.vendors.map((vendor) => this.vendor(vendor, refused.has(vendor.id))),
    );
    vendors.classList.add('tcf-vendors');
    all.append(part('li', { part: 'item', class: 'tcf' }, vendors));
  }

  private group(
    title: OwnText,
    before: Node[],
    entries: readonly ({ name: string; description: string; illustrations?: readonly string[] } | undefined)[],
    fixed?: OwnText,
  ): HTMLElement[] {
    if (entries.length === 0) return [];
    const shown = entries.map((entry) => this.explained(entry));
    const heading = part('b', this.lang, this.text(title));
    return [
      part(
        'li',
        { part: 'item', class: 'tcf' },
        heading,
        ...(fixed ? [part('span', { ...this.lang, class: 'fixed' }, this.text(fixed))] : []),
        ...before,
        part('div', {}, ...shown),
      ),
    ];
  }

  /** Drawn when it is opened for the first time: a list has a thousand vendors. */
  private folded(
    title: string,
    inside: () => Node[],
    attributes: Record<string, string> = this.lang,
  ): HTMLDetailsElement {
    const summary = part('summary', attributes, title);
    const details = part('details', {}, summary);
    details.addEventListener('toggle', () => details.childElementCount === 1 && details.append(...inside()));
    return details;
  }

  private explained(
    entry: { name: string; description: string; illustrations?: readonly string[] } | undefined,
    who = '',
  ): HTMLElement {
    const { name = '', description = '', illustrations = [] } = entry ?? {};
    return part(
      'div',
      { class: 'text' },
      part('b', {}, name),
      part('p', {}, description),
      ...(illustrations.length > 0
        ? [
            this.own('p', 'examples'),
            part('ul', { role: 'list' }, ...illustrations.map((text) => part('li', {}, text))),
          ]
        : []),
      ...(who ? [part('p', this.lang, who)] : []),
    );
  }

  private vendor(vendor: VendorOfLayer, isRefused: boolean): HTMLElement {
    return this.folded(vendor.name, () => this.aboutVendor(vendor, isRefused), {});
  }

  private aboutVendor(vendor: VendorOfLayer, isRefused: boolean): Node[] {
    const { list } = this.shown;
    const { id, name, dataRetention = {}, urls = [] } = vendor;
    const { stdRetention, purposes = {}, specialPurposes = {} } = dataRetention;
    const kept = (days: number | undefined): string => (days === undefined ? '' : ` (${this.text('days', days)})`);
    const names = (
      of: Exclude<keyof VendorListOfLayer, 'vendors' | 'standardTexts'>,
      ids: readonly number[] = [],
      days?: Readonly<Record<string, number>>,
    ): string[] => ids.map((each) => `${list[of][each]?.name ?? each}${days ? kept(days[each] ?? stdRetention) : ''}`);
    const line = (title: OwnText, texts: readonly string[]): Node[] =>
      texts.length === 0 ? [] : [part('dt', this.lang, this.text(title)), ...texts.map((text) => part('dd', {}, text))];
    const [url] = [urls.find(({ langId }) => this.banner.locale.startsWith(langId)) ?? urls[0]];
    const link = (title: OwnText, address: string | undefined): Node[] => {
      const href = tried(() => new URL(address!));
      if (!href || !/^https?:$/.test(href.protocol)) return [];
      return [part('a', { ...this.lang, href: href.href, target: '_blank', rel: 'noopener' }, this.text(title))];
    };
    const input = part('input', { type: 'checkbox', role: 'switch', part: 'toggle', id: `r-${id}` });
    input.checked = isRefused;
    this.drawn(id, input);
    return [
      part(
        'div',
        { class: 'choice' },
        part('label', { ...this.lang, for: `r-${id}` }, this.text('refuse').replace('{name}', name)),
        input,
      ),
      part(
        'dl',
        {},
        ...line('consent', names('purposes', vendor.purposes, purposes)),
        ...line('interest', names('purposes', vendor.legIntPurposes, purposes)),
        ...line('specialPurposes', names('specialPurposes', vendor.specialPurposes, specialPurposes)),
        ...line('features', names('features', vendor.features)),
        ...line('specialFeatures', names('specialFeatures', vendor.specialFeatures)),
        ...line('data', names('dataCategories', vendor.dataDeclaration)),
        ...line('storage', this.storage(vendor)),
      ),
      part(
        'p',
        { class: 'links' },
        ...link('policy', url?.privacy),
        ...link('claim', url?.legIntClaim),
        ...link('disclosure', vendor.deviceStorageDisclosureUrl),
      ),
    ];
  }

  private storage({ usesCookies, cookieMaxAgeSeconds, cookieRefresh, usesNonCookieAccess }: VendorOfLayer): string[] {
    const isKept = typeof cookieMaxAgeSeconds === 'number' && cookieMaxAgeSeconds > 0;
    const cookies = isKept ? this.text('cookies', Math.ceil(cookieMaxAgeSeconds / DAY_S)) : this.text('session');
    return [
      ...(usesCookies ? [cookieRefresh ? `${cookies} ${this.text('refreshed')}` : cookies] : []),
      ...(usesNonCookieAccess ? [this.text('otherStorage')] : []),
    ];
  }

  private whoFor(id: number): string {
    const [consent, interest] = [
      this.count(({ purposes }) => purposes.includes(id)),
      this.count(({ legIntPurposes }) => legIntPurposes.includes(id)),
    ];
    return this.text('who').replace('{consent}', String(consent)).replace('{interest}', String(interest));
  }

  private count(is: (vendor: VendorOfLayer) => boolean): number {
    return this.vendors.filter(is).length;
  }

  /** What purposes of the site stand for, ascending, each once. */
  private mapped(keys: readonly string[]): { purposes: number[]; features: number[] } {
    const of = this.shown.purposes.filter(({ key }) => keys.includes(key)).map(({ frameworks }) => frameworks.tcf);
    const once = (ids: number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);
    return {
      purposes: once(of.flatMap(({ purposes }) => [...purposes])),
      features: once(of.flatMap(({ specialFeatures }) => [...specialFeatures])),
    };
  }

  private own(tag: 'p', name: OwnText): HTMLElement {
    return part(tag, this.lang, this.text(name));
  }

  private text(name: OwnText, n?: number): string {
    return this.texts[name].replace('{n}', String(n));
  }
}
